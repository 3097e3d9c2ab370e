#!/usr/bin/env node
// Starts Node programs for the pulumi command where the maker's pulumi-language-nodejs is not at hand: a development machine with a CLI
// built from Go modules, whose language host is no such module. `language-host.cjs <address of the engine>` prints its port and serves.
'use strict';

const http2 = require('node:http2');
const grpc = require('@grpc/grpc-js');
const { LanguageRuntimeService } = require('@pulumi/pulumi/proto/language_grpc_pb');
const language = require('@pulumi/pulumi/proto/language_pb');
const { PluginInfo } = require('@pulumi/pulumi/proto/plugin_pb');
const { dependencies } = require('./program-dependencies.cjs');
const { programs, run } = require('./program-run.cjs');

// A package of @pulumi/pulumi's own.
const { Empty } = require(require.resolve('google-protobuf/google/protobuf/empty_pb', { paths: [require.resolve('@pulumi/pulumi/package.json')] }));

const MESSAGE_BYTES = 400 << 20;

/** A method that answers with what `answer(request)` returns or resolves to. */
function unary(answer) {
  return (call, done) => Promise.resolve(call.request).then(answer).then((response) => done(null, response), (error) => done({ code: grpc.status.UNKNOWN, details: error.message }));
}

function pluginInfo() {
  const info = new PluginInfo();
  info.setVersion(require('@pulumi/pulumi/package.json').version);
  return info;
}

function about() {
  const response = new language.AboutResponse();
  response.setExecutable(process.execPath);
  response.setVersion(process.version);
  return response;
}

function programDependencies(request) {
  const response = new language.GetProgramDependenciesResponse();
  response.setDependenciesList(dependencies(request.getInfo().getProgramDirectory()).map(({ name, version }) => {
    const info = new language.DependencyInfo();
    info.setName(name);
    info.setVersion(version);
    return info;
  }));
  return response;
}

function cancel() {
  for (const program of programs) program.kill('SIGINT');
  return new Empty();
}

function installDependencies(call) {
  call.emit('error', { code: grpc.status.UNIMPLEMENTED, details: 'this language host installs no packages: run npm install' });
}

// What is not here is answered with "unimplemented": no plugin of ours runs from source, and no program is generated.
const service = {
  handshake: unary(() => new language.LanguageHandshakeResponse()),
  getPluginInfo: unary(pluginInfo),
  // The engine looks for a plugin when a resource asks for it; dynamic resources need none.
  getRequiredPackages: unary(() => new language.GetRequiredPackagesResponse()),
  getProgramDependencies: unary(programDependencies),
  runtimeOptionsPrompts: unary(() => new language.RuntimeOptionsResponse()),
  about: unary(about),
  installDependencies,
  cancel: unary(cancel),
  run: unary((request) => run(request, engine)),
};

function end() {
  for (const program of programs) program.kill('SIGKILL');
  process.exit(0);
}

// A connection that is only held: it ends with the engine, however that ends, and a host without an engine has nothing left to do.
function endWith(address) {
  const session = http2.connect(`http://${address}`);
  session.on('error', end);
  session.on('close', end);
}

const engine = process.argv.slice(2).filter((argument) => !argument.startsWith('-')).at(-1);
if (engine === undefined) {
  process.stderr.write('usage: language-host.cjs <address of the engine>\n');
  process.exit(2);
}
const server = new grpc.Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES, 'grpc.max_send_message_length': MESSAGE_BYTES });
server.addService(LanguageRuntimeService, service);
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
  endWith(engine);
});
