// For jest, what `toolchain/bundle.cjs` puts in a bundle: the two things that client-node's `config.js` takes from its 2,700 generated modules.
'use strict';

const { createConfiguration } = require('@kubernetes/client-node/dist/gen/configuration.js');
const { ServerConfiguration } = require('@kubernetes/client-node/dist/gen/servers.js');

module.exports = { createConfiguration, ServerConfiguration };
