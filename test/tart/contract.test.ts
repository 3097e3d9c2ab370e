import { describeHypervisor } from '../../agent/testing/hypervisor-contract';
import { FakeMac, IMAGE } from './fake-mac';

// On Linux and macOS alike: what stands in for tart follows its command line, with real processes for its machines.
describeHypervisor('a Mac with tart', () => {
  const mac = new FakeMac();
  return Promise.resolve({
    hypervisor: mac.driver(), reopen: () => mac.driver(), image: IMAGE,
    killMachine: (uid) => mac.crash(`macrack-${uid}`),
    runForeign: (name) => mac.runForeign(name),
    dispose: () => Promise.resolve(mac.dispose()),
  });
});
