import { ENERGY, HAULAGE, PRIMARY, UTILITY, WATER } from './accounts.ts';
import { idOf } from './generator.ts';
import { FLEET_DESK, METERING_DESK } from './people.ts';
import { PLAN, SHARE_GROUP } from './plans.ts';

const usageTrigger = (triggerName: string, accountName: string, serviceName: 'Location' | 'fota') => ({
  triggerId: idOf(`usage trigger ${triggerName}`),
  triggerName,
  accountName,
  serviceName,
});

export const usageTriggers = [
  {
    ...usageTrigger('Location at 90 percent', PRIMARY, 'Location'),
    thresholdValue: '90',
    allowExcess: true,
    sendSmsNotification: false,
    smsPhoneNumbers: '',
    sendEmailNotification: true,
    emailAddresses: 'ada.thornbury@larkmoor.example,fleet@larkmoor.example',
  },
  {
    ...usageTrigger('Updates used up', PRIMARY, 'fota'),
    thresholdValue: '100',
    allowExcess: false,
    sendSmsNotification: false,
    smsPhoneNumbers: '',
    sendEmailNotification: true,
    emailAddresses: 'fleet@larkmoor.example',
  },
  {
    ...usageTrigger('Location used up', WATER, 'Location'),
    thresholdValue: '100',
    allowExcess: false,
    sendSmsNotification: true,
    smsPhoneNumbers: '6975550199',
    sendEmailNotification: true,
    emailAddresses: 'metering@pellmere.example',
  },
];

const perEvent = (notificationGroupName: string, severity: 'Notice' | 'Minor' | 'Major' | 'Critical') => ({
  notificationType: 'PerEvent',
  callback: true,
  emailNotification: true,
  notificationGroupName,
  notificationFrequencyFactor: 3,
  notificationFrequencyInterval: 'Daily',
  smsNotification: false,
  smsNumbers: [],
  reminder: false,
  severity,
});

const pricePlanTrigger = (triggerName: string, ecpdId: string) => ({
  triggerId: idOf(`price plan trigger ${triggerName}`),
  triggerName,
  ecpdId,
  triggerCategory: 'PricePlanDataUsage',
});

const percentages = (...reached: readonly (50 | 75 | 90 | 100)[]) => ({
  percentage50: reached.includes(50),
  percentage75: reached.includes(75),
  percentage90: reached.includes(90),
  percentage100: reached.includes(100),
});

export const pricePlanTriggers = [
  {
    ...pricePlanTrigger('Truck beyond 4 MB', HAULAGE.ecpdId),
    pricePlanTrigger: {
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: PLAN.payg5Mb, accountNameList: [PRIMARY] },
        condition: {
          conditionType: 'Individual',
          comparator: 'gt',
          threshold: 4,
          thresholdUnit: 'MB',
          cycleType: 'Monthly',
        },
        action: { suspend: false, changePlan: false },
      },
    },
    notification: { ...perEvent(FLEET_DESK, 'Minor'), reminder: true },
    active: true,
  },
  {
    ...pricePlanTrigger('Shared pool', HAULAGE.ecpdId),
    pricePlanTrigger: {
      accountGroupShare: {
        accountGroupSharePool: {
          filterCriteria: { ratePlanGroupId: SHARE_GROUP },
          condition: { action: 'notify' },
          action: { notify: { threshold: [{ percentage: percentages(75, 90, 100) }] } },
        },
      },
    },
    notification: perEvent(FLEET_DESK, 'Major'),
    active: true,
  },
  {
    ...pricePlanTrigger('Larger share when needed', HAULAGE.ecpdId),
    pricePlanTrigger: {
      accountGroupShare: {
        accountGroupShareIndividual: {
          filterCriteria: { ratePlanGroupId: SHARE_GROUP },
          condition: { action: 'changePricePlan' },
          action: {
            changePlan: {
              sharePlan: [
                { fromCarrierCode: PLAN.share1Gb, toCarrierCode: PLAN.share2Gb, criteriaPercentage: 100 },
                { fromCarrierCode: PLAN.share2Gb, toCarrierCode: PLAN.share5Gb, criteriaPercentage: 100 },
              ],
              triggerDate: 'BackDate',
            },
          },
        },
      },
    },
    notification: perEvent(FLEET_DESK, 'Notice'),
    active: false,
  },
  {
    ...pricePlanTrigger('Meter out of hand', UTILITY.ecpdId),
    pricePlanTrigger: {
      payAsYouGo: {
        filterCriteria: { carrierServicePlanCode: PLAN.payg5Mb, accountNameList: [WATER, ENERGY] },
        condition: {
          conditionType: 'Individual',
          comparator: 'gt',
          threshold: 20,
          thresholdUnit: 'MB',
          cycleType: 'Daily',
        },
        action: {
          suspend: true,
          suspendDetails: {
            suspendFromAccounts: [WATER, ENERGY],
            suspendDuration: 'NextBillCycle',
            suspendOption: 'WithBilling',
          },
          changePlan: false,
        },
      },
    },
    notification: perEvent(METERING_DESK, 'Critical'),
    active: true,
  },
];
