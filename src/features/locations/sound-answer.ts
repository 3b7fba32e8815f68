import { parseDeviceErrorType } from '../../kernel/device-error.ts';
import type { DeviceFailure, Fix } from './location.ts';
import type { SourceAnswer } from './position-source.ts';

const NONSENSE: SourceAnswer = { failure: { type: 'POSITION METHOD FAILURE' } };
const INFO_MAX = 200;

const isPlace = ({ latitude, longitude, radiusM, at }: Fix): boolean =>
  Math.abs(latitude) <= 90 &&
  Math.abs(longitude) <= 180 &&
  radiusM >= 0 &&
  Number.isFinite(radiusM) &&
  !Number.isNaN(at.getTime());

function soundFailure({ type, info }: DeviceFailure): DeviceFailure {
  const known = parseDeviceErrorType(type) ?? 'UNSPECIFIED ERROR';
  return { type: known, info: info?.replaceAll('\0', '').slice(0, INFO_MAX) };
}

/** A network may answer anything: what cannot be must not keep the answers beside it from being written. */
export function soundAnswer(answer: SourceAnswer, onNonsense: (error: unknown) => void): SourceAnswer {
  if ('failure' in answer) return { failure: soundFailure(answer.failure) };
  if (isPlace(answer.fix)) return answer;
  onNonsense(new Error('the position source answered a place that cannot be'));
  return NONSENSE;
}
