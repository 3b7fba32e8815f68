import { planNamed } from '../catalogue.ts';
import { iso, type Row } from '../outcome.ts';
import { GROUP, OWN } from './names.ts';
import type { Played } from './play.ts';
import type { Heard, Message } from './post-office.ts';
import { type Answered, shortReason } from './read-outcome.ts';

/** An activated line has further numbers besides the identifier from the case. */
const linesIn = ({ names }: Played, deviceIds: Answered): string[] =>
  deviceIds
    .filter(({ kind }: { kind: string }) => kind.toLowerCase() === 'imei')
    .map(({ id }: { id: string }) => names.fromImei(id));

function movedIn(share: Answered): object | null {
  const change = share.action?.changePlan;
  if (change === undefined) return null;
  const [way, moves] = change.lessThan100Percentage
    ? ['less', change.lessThan100Percentage]
    : ['more', change.moreThan100Percentage];
  return {
    way,
    bytes: moves.bufferReduced,
    since: moves.effectiveDate,
    plans: moves.devicePerPricePlan
      .map((one: Answered) =>
        [
          planNamed(one.fromCarrierServicePlanCode),
          planNamed(one.toCarrierServicePlanCode),
          one.deviceCount,
        ].join(' '),
      )
      .sort(),
  };
}

/** Why people are told again, or only now. */
const occasionIn = (text: string): string | null => {
  if (/\bSummary of \d/.test(text)) return 'summary';
  const reminder = /\bReminder (\d+) of \d/.exec(text);
  return reminder === null ? null : `reminder ${reminder[1]}`;
};

function occasionOf(payload: Answered): string | null {
  const said = payload.deviceResponse.alertServiceResponse;
  return occasionIn((said.payAsYouGo ?? said).message);
}
export const isRepeated = (payload: Answered): boolean => occasionOf(payload) !== null;

/** The subject in the names of the case. */
function subjectIn({ names }: Played, text: string): string {
  const [, line, account] = /^line (\S+) of|^account (\S+?):?$/.exec(text) ?? [];
  if (line !== undefined) return names.fromSubject(line);
  if (account !== undefined) return names.fromAccount(account);
  return text.startsWith('the pool') ? 'group' : text.startsWith('accounts') ? 'combined' : text;
}

const roleOf = (recipient: string): string =>
  [GROUP.mail, GROUP.phone].includes(recipient)
    ? 'group'
    : [OWN.mail, OWN.phone].includes(recipient)
      ? 'own'
      : recipient;

export function readMail(played: Played, { at, to, text }: Message): Row {
  const about = text
    .split(/\r?\n/)
    .flatMap(
      (line) =>
        /^(?:Fired for: {2}|- )((?:line \S+ of )?account [\d-]+|the pool|accounts)/.exec(line)?.[1] ?? [],
    );
  return {
    trigger: /Price plan trigger "(\w+)" has fired/.exec(text)?.[1],
    at: iso(at),
    occasion: occasionIn(text),
    to: to.map(roleOf),
    about: about.map((one) => subjectIn(played, one)),
  };
}

export const readSms = ({ at, to, text }: Message): Row => ({
  trigger: /Notice, (\w+)/.exec(text)?.[1],
  at: iso(at),
  occasion: occasionIn(text),
  to: roleOf(to[0]!),
  about: 1 + Number(/ And (\d+) more\./.exec(text)?.[1] ?? 0),
});

/** `at` is undefined if nobody heard it. */
type Told = Pick<Heard, 'accountName' | 'payload'> & { readonly at: number | undefined };

export function readAlert(played: Played, { accountName, payload, at }: Told): Row {
  const said = payload.deviceResponse.alertServiceResponse;
  const whose = {
    // The envelope and the text must be about the same account.
    account: played.names.fromAccount(accountName === said.accountName ? accountName : 'two accounts'),
    heard: at === undefined ? null : iso(at),
    trigger: played.triggerNames.get(said.triggerId) === said.triggerName ? said.triggerName : 'two triggers',
  };
  const { payAsYouGo, accountGroupShare } = said;
  const occasion = occasionOf(payload);
  if (occasion === 'summary') return { ...whose, occasion };
  if (payAsYouGo !== undefined)
    return {
      ...whose,
      at: payAsYouGo.triggerDateTime,
      occasion,
      late: payAsYouGo.message.startsWith('Late: '),
      cause: said.cause ?? null,
      plan: payAsYouGo.carrierServicePlanCode,
      value: payAsYouGo.triggerValue,
      threshold: payAsYouGo.threshold,
      unit: payAsYouGo.thresholdUnit ?? null,
      cycle: payAsYouGo.cycleType ?? null,
      lines: linesIn(played, payAsYouGo.deviceIds),
    };
  return {
    ...whose,
    at: said.triggerDateTime,
    occasion,
    late: said.message.startsWith('Late: '),
    cause: said.cause ?? null,
    allowance: accountGroupShare.allowance,
    lines: accountGroupShare.deviceIds === undefined ? null : linesIn(played, accountGroupShare.deviceIds),
    moved: movedIn(accountGroupShare),
  };
}

export const readThrottled = (played: Played, { payload, at }: Heard): Row => ({
  account: played.names.fromAccount(payload.accountName),
  line: linesIn(played, payload.deviceIds)[0] ?? null,
  plan: payload.servicePlan,
  throttle: payload.throttle,
  percent: payload.percent,
  at: iso(at),
});

export function readCarrier(played: Played, { accountName, payload, at }: Heard): Row {
  const { deviceResponse, faultResponse, status } = payload;
  const account = played.names.fromAccount(accountName);
  const whose = { account, line: linesIn(played, payload.deviceIds)[0], at: iso(at) };
  if (status !== 'Success') {
    const fault = faultResponse ?? deviceResponse?.faultResponse;
    return { ...whose, what: 'failed', reason: shortReason(fault?.faultstring ?? JSON.stringify(payload)) };
  }
  const { suspendResponse, restoreResponse, resumeTrackingResponse, changeServicePlanResponse } =
    deviceResponse;
  if (suspendResponse !== undefined)
    return {
      ...whose,
      what: 'suspended',
      resumes: suspendResponse.expectedResumeDate,
      used: suspendResponse.numDaysSuspendedLast12Months,
      allowed: suspendResponse.numDaysSuspendAllowedCurrent12Months,
    };
  if (resumeTrackingResponse !== undefined)
    return { ...whose, what: 'announced', resumes: resumeTrackingResponse.expectedResumeDate };
  if (deviceResponse.activateResponse !== undefined)
    return { ...whose, what: 'activated', plan: deviceResponse.activateResponse.servicePlan };
  if (deviceResponse.deactivateResponse?.deactivated === true) return { ...whose, what: 'deactivated' };
  if (changeServicePlanResponse !== undefined)
    return { ...whose, what: 'plan changed', effective: changeServicePlanResponse.effectiveDate };
  return { ...whose, what: restoreResponse?.restored === true ? 'restored' : JSON.stringify(payload) };
}
