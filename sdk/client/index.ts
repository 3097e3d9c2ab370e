export * from './errors';
export * from './control-plane';
export * from './timers';
export * from './agent-reader';
export { AgentClient, AgentRefused, httpsAgentReader, type AgentClientOptions, type AgentCredentials, type HttpsAgentReaderOptions } from './agent-client';
export type { AgentCapacity, AgentInstance, AgentJournal, AuditHeads } from './agent-state';
export { ConnectionError, type ConnectArgument, type ConnectOptions, type WatchTiming } from './connect-options';
export { connect } from './connect';
export { recordingControlPlane, type RecordingControlPlane, type Write, type WriteHooks } from './interrupted-plane';
