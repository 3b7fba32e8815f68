export {
  DEVICE_ERROR_TYPES,
  type DeviceErrorType,
  deviceErrorTypes,
  isDeviceErrorType,
} from './device-errors.ts';
export { locationFaults } from './errors.ts';
