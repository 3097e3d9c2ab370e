import { failure } from '../core/finding';
import { inPulumi, inStackConfig, sentenceOf } from './wording';

describe('a text of the core', () => {
  it.each([
    ['Set adopt = true to keep it.', 'Set adopt: true to keep it.'],
    ['the apply checks it, and the next apply too', 'the update checks it, and the next update too'],
    ['Apply waits until it is gone. Apply again, or apply again later', 'The update waits until it is gone. Update again, or update again later'],
    ['or first apply on_early_release = "hold" (it counts)', 'or first store onEarlyRelease: "hold" (it counts)'],
    ['Set await_ip = false to do without', 'Set awaitIp: false to do without'],
    ['two resources of this configuration', 'two resources of this program'],
    ['removed from the configuration', 'removed from the program'],
    ['status.phase == "Held" stays', 'status.phase == "Held" stays'],
  ])('%s reads %s in a program', (text, expected) => expect(inPulumi(text)).toBe(expected));

  it('names the arguments of the client as the stack configuration does', () => {
    expect(inStackConfig('config_path names no file; client_key is no key; neither config_path nor host is given')).toBe('macrack:kubeconfig names no file; macrack:clientKey is no key; neither macrack:kubeconfig nor macrack:host is given');
  });

  it('begins with its reason', () => {
    expect(sentenceOf(failure('EarlyRelease', '', 'lease a/b', 'Set adopt = true.'))).toBe('EarlyRelease: lease a/b. Set adopt: true.');
  });
});
