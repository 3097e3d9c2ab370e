// `npm test`: set-up, then the suites. The last line sums them: `N passed, N failed`. In CI, and by `npm run test:all`, none is left out.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { BuildFault } = require('./go-build.cjs');
const { buildPlane } = require('./kubernetes/build.cjs');
const { obtainTofu } = require('./opentofu/build.cjs');
const { buildEngine: buildPulumi } = require('./pulumi/engine.cjs');
const { bin, env, infrastructureTool, prepare, root, run } = require('./prepare.cjs');

const inCi = process.env.CI === 'true';
const all = inCi || process.argv.includes('--all');
const node = path.join(bin, 'node');
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');

/** One command, one check. */
function command(name, script) {
  return { name, judge: () => (run('npm', ['run', '--silent', script]).status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }) };
}

// A test file that cannot be loaded runs no test; it counts as one failure.
function count(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken + (inCi ? skipped : 0), skipped };
}

function jestSuite(name, args) {
  return {
    name,
    judge() {
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'macrack-test-'));
      const file = path.join(directory, 'report.json');
      run(node, [jest, '--json', `--outputFile=${file}`, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
      const counted = fs.existsSync(file) ? count(JSON.parse(fs.readFileSync(file, 'utf8'))) : { passed: 0, failed: 1 };
      fs.rmSync(directory, { recursive: true, force: true });
      return counted;
    },
  };
}

// Without Go some tools cannot be had: the suites that drive them are skipped, visibly. In CI that is a failure.
function built(name, build) {
  return {
    name,
    judge() {
      try {
        build();
        return { passed: 1, failed: 0 };
      } catch (error) {
        if (!(error instanceof BuildFault)) throw error;
        process.stderr.write(`macrack: not ${name}, and the suites that need it are skipped: ${error.message}\n`);
        return { passed: 0, failed: inCi ? 1 : 0, skipped: 1 };
      }
    },
  };
}

// `thorough` removes each stop in turn, ends processes at every write, and repeats on Kubernetes what the development plane shows; `opentofu` drives the
// other engine: what a change may break is found by the other suites too, so a user need not wait.
function unhurried(project) {
  if (all) return jestSuite(project, ['--selectProjects', project, '--maxWorkers=2']);
  const name = `${project} (skipped: it takes minutes; it runs in CI and by \`npm run test:all\`)`;
  return { name, judge: () => ({ passed: 0, failed: 0, skipped: 1 }) };
}

const suites = [
  command('lint and import walls', 'lint'),
  command('generated files are current', 'verify'),
  jestSuite('unit', ['--selectProjects', 'unit', '--maxWorkers=2']),
  built('the real control plane is built', buildPlane),
  built('pulumi is there, or built', buildPulumi),
  built('tofu is there, or built', obtainTofu),
  jestSuite('system', ['--selectProjects', 'system', '--maxWorkers=3']),
  unhurried('thorough'),
  unhurried('opentofu'),
];

prepare();
if (infrastructureTool() === undefined) {
  const sentence = 'neither terraform nor tofu is on PATH: the suites that drive it are skipped. Install Terraform 1.5 or newer (or OpenTofu 1.6 or newer).';
  process.stderr.write(`macrack: ${sentence}\n`);
}
const sum = { passed: 0, failed: 0 };
for (const suite of suites) {
  process.stdout.write(`\n== ${suite.name}\n`);
  const { passed, failed, skipped = 0 } = suite.judge();
  process.stdout.write(`== ${suite.name}: ${passed} ok, ${failed} not ok${skipped > 0 ? `, ${skipped} skipped${inCi ? ' (a failure in CI)' : ''}` : ''}\n`);
  sum.passed += passed;
  sum.failed += failed;
}
process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`);
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;
