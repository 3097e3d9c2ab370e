import { describeOperator } from './operator-suite';
import { developmentWorld } from './world';

jest.setTimeout(120_000);

describe('the operator on the development plane', () => describeOperator(developmentWorld, true));
