import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { applyResourceChange } from './apply';
import type { Answer } from './call';
import { callFunction } from './call-function';
import { method } from './call';
import { configureProvider, stopProvider, validateProviderConfig } from './configure';
import { importResourceState, moveResourceState } from './import';
import { planResourceChange } from './plan';
import { readDataSource, readResource } from './read';
import { getFunctions, getMetadata, getProviderSchema } from './schema';
import type { Session } from './session';
import { upgradeResourceState } from './upgrade';
import { validateDataResourceConfig, validateResourceConfig } from './validate';

const ANSWERS: Readonly<Record<string, Answer<never>>> = {
  GetMetadata: getMetadata,
  GetProviderSchema: getProviderSchema,
  ValidateProviderConfig: validateProviderConfig,
  ValidateResourceConfig: validateResourceConfig,
  ValidateDataResourceConfig: validateDataResourceConfig,
  UpgradeResourceState: upgradeResourceState,
  ConfigureProvider: configureProvider,
  ReadResource: readResource,
  PlanResourceChange: planResourceChange,
  ApplyResourceChange: applyResourceChange,
  ImportResourceState: importResourceState,
  MoveResourceState: moveResourceState,
  ReadDataSource: readDataSource,
  GetFunctions: getFunctions,
  CallFunction: callFunction,
  StopProvider: stopProvider,
};

/** Every call of the protocol that the message table names. */
export function providerService(session: Session): UntypedServiceImplementation {
  return Object.fromEntries(Object.entries(ANSWERS).map(([name, answer]) => [name, method(session, name, answer)]));
}
