export { licenseRoutes } from './routes-assign.ts';
