// One run of a Pulumi program, as the package @pulumi/pulumi of that program expects to be started.
'use strict';

const { spawn } = require('node:child_process');
const { createRequire } = require('node:module');
const path = require('node:path');
const { RunResponse } = require('@pulumi/pulumi/proto/language_pb');

/** What the runner exits with when it has already shown its error through the engine. */
const SHOWN = 32;

/** The programs that run now. */
const programs = new Set();

function runner(directory) {
  try {
    return createRequire(path.join(directory, 'program.js')).resolve('@pulumi/pulumi/cmd/run');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`the package @pulumi/pulumi is not installed for the program in ${directory}: run npm install there`);
  }
}

function flags(request, engine) {
  const named = {
    monitor: request.getMonitorAddress(), engine, organization: request.getOrganization(), project: request.getProject(), stack: request.getStack(),
    'root-directory': request.getInfo().getRootDirectory(), pwd: request.getPwd(), parallel: request.getParallel() || undefined,
  };
  const given = Object.entries(named).filter(([, value]) => value !== undefined && value !== '').flatMap(([name, value]) => [`--${name}`, String(value)]);
  return request.getDryrun() ? [...given, '--dry-run'] : given;
}

// The SDK reads keys in their old, longer form too, but looks secret ones up as they are.
function longKey(key) {
  const [namespace, ...name] = key.split(':');
  return name[0] === 'config' ? key : [namespace, 'config', ...name].join(':');
}

function environment(request, options) {
  const config = Object.fromEntries(request.getConfigMap().toArray().map(([key, value]) => [longKey(key), value]));
  return {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    ...(options.typescript !== false && { PULUMI_NODEJS_TYPESCRIPT: 'true' }),
    ...(options.tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
  };
}

function ended(program) {
  programs.add(program);
  return new Promise((resolve, reject) => {
    program.on('error', reject);
    program.on('exit', (code, signal) => resolve({ code, signal }));
  }).finally(() => programs.delete(program));
}

function response({ code, signal }) {
  const answer = new RunResponse();
  if (code === SHOWN) answer.setBail(true);
  else if (code !== 0) answer.setError(signal === null ? `Program exited with non-zero exit code: ${code}` : `Program was ended by ${signal}`);
  return answer;
}

/** Runs the program of a RunRequest to its end; its output is the host's, which the engine reads. @param engine address */
async function run(request, engine) {
  const info = request.getInfo();
  const options = info.getOptions()?.toJavaScript() ?? {};
  const nodeArguments = String(options.nodeargs ?? '').split(' ').filter((word) => word !== '');
  const args = [...nodeArguments, runner(info.getProgramDirectory()), ...flags(request, engine), info.getEntryPoint(), ...request.getArgsList()];
  return response(await ended(spawn('node', args, { cwd: request.getPwd(), env: environment(request, options), stdio: ['ignore', 'inherit', 'inherit'] })));
}

module.exports = { programs, run };
