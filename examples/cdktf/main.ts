import { App } from 'cdktf';
import { CiStack } from './ci-stack.ts';

const app = new App();
const context = (name: string): unknown => app.node.tryGetContext(name);

new CiStack(app, 'ci', {
  macs: Number(context('macs')),
  onEarlyRelease: String(context('onEarlyRelease')),
});
app.synth();
