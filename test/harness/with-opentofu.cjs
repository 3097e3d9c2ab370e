// Read by terraform-suite.ts.
'use strict';

process.env.ENGINE_OF_TESTS = 'tofu';
