export { assignLicenses, unassignLicenses } from './assign-licenses.ts';
export { licenseAssignmentsSection } from './fleet-license-assignments.ts';
export { licensesSection } from './fleet-licenses.ts';
export { listLicensesOfDevices } from './list-licenses.ts';
export { moveLicenses } from './move-licenses.ts';
