export * from './errors';
export * from './control-plane';
export * from './timers';
export * from './agent-reader';
export { ConnectionError, type ConnectArgument, type ConnectOptions, type WatchTiming } from './connect-options';
export { connect } from './connect';
export { recordingControlPlane, type RecordingControlPlane, type Write, type WriteHooks } from './interrupted-plane';
