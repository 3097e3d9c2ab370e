import tseslint from 'typescript-eslint';

const noClock = 'Time is a parameter here: take `now` as an Instant from the caller, who has it from the API server.';
const noChance = 'A verdict is a pure function of its facts: no randomness.';

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '**/*.cjs', '**/*.d.cts', '**/*.mjs', '**/*.js'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/triple-slash-reference': ['error', { lib: 'never', path: 'never', types: 'never' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ['sdk/rules/**/*.ts', 'provider/core/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'Date', message: noClock }, { name: 'performance', message: noClock }],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: noChance }, { object: 'globalThis', property: 'Date', message: noClock }],
      'no-restricted-syntax': ['error', { selector: "MemberExpression[object.name='globalThis'], TSAsExpression > Identifier[name='globalThis']", message: noClock }],
    },
  },
  {
    // Suites read as one specification: a describe block is not a function to split.
    files: ['**/*.test.ts', 'test/**/specs/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off' },
  },
);
