import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

// `npm run check` has oxlint run these rules, in a tenth of the time: see scripts/lint.mjs.
export default tseslint.config(
  { ignores: ['dist', 'data', 'node_modules', 'coverage', 'bench'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Presenters answer object literals of a record's shape; the class is only its description.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      eqeqeq: 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only kernel/config reads the environment.' },
      ],
      'max-lines': ['error', { max: 300 }],
    },
  },
  { files: ['src/kernel/config/**', 'test/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
);
