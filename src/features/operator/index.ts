export { authenticateOperators } from './authenticate-operator.ts';
