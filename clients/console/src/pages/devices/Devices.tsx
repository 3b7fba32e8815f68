import { useParams } from 'wouter';
import { DeviceDetail } from './DeviceDetail.tsx';
import { DeviceList } from './DeviceList.tsx';

/** /devices is the list, /devices/<id> a single device. */
export default function Devices() {
  const { '*': deviceId } = useParams<{ '*'?: string }>();
  return deviceId === undefined || deviceId === '' ? (
    <DeviceList />
  ) : (
    <DeviceDetail key={deviceId} deviceId={deviceId} />
  );
}
