// Written by npm run generate from openapi.json; changes belong into the service's schemas.

/** Every call of the service: what is sent, and what is answered when it succeeds. */
export interface Routes {
  /** A bearer token for an application, by its client credentials */
  "POST /ts/v1/oauth2/token": {
    body: {
      grant_type?: string | undefined;
      scope?: string | undefined;
      token?: string | undefined;
    };
    answer: {
      access_token: string;
      token_type: string;
      /** Seconds that remain of the hour since the first issue */
      expires_in: number;
      scope: string;
    };
  };
  /** A bearer token for an application, by its client credentials */
  "POST /ts/v1": {
    body: {
      grant_type?: string | undefined;
      scope?: string | undefined;
      token?: string | undefined;
    };
    answer: {
      access_token: string;
      token_type: string;
      /** Seconds that remain of the hour since the first issue */
      expires_in: number;
      scope: string;
    };
  };
  /** Ends a bearer token; its next request gets a new one */
  "POST /ts/v1/oauth2/revoke": {
    body: {
      grant_type?: string | undefined;
      scope?: string | undefined;
      token?: string | undefined;
    };
    answer: unknown;
  };
  /** A session for a web-services user; 20 minutes after its last use it expires */
  "POST /m2m/v1/session/login": {
    body: {
      username: string;
      password: string;
    };
    answer: {
      sessionToken: string;
    };
  };
  /** Ends the session */
  "POST /m2m/v1/session/logout": {
    answer: {
      sessionToken: string;
    };
  };
  /** Replaces the user's password by a new one that the service makes up; other sessions end */
  "PUT /m2m/v1/session/password/actions/reset": {
    body: {
      oldPassword: string;
    };
    answer: {
      newPassword: string;
    };
  };
  /** The service plans that lines of the account can be on */
  "GET /m2m/v1/plans/{accountName}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
    };
    answer: Array<{
      name: string;
      code: string;
      sizeKb: number;
      carrierServicePlanCode: string;
      extendedAttributes: Array<{
        key: string;
        value: string;
      }>;
    }>;
  };
  /** One billing account with its plans and features */
  "GET /m2m/v1/accounts/{accountName}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
    };
    answer: {
      accountName: string;
      accountNumber: string;
      organizationName: string;
      isProvisioningAllowed: boolean;
      carriers: Array<string>;
      features: Array<string>;
      iPPools: Array<{
        poolName: string;
        poolType: string;
        isDefaultPool: boolean;
      }>;
      servicePlans: Array<{
        name: string;
        code: string;
        sizeKb: number;
        carrierServicePlanCode: string;
        extendedAttributes: Array<{
          key: string;
          value: string;
        }>;
      }>;
    };
  };
  /** The lines of an account, a page at a time: 202 while more remain, 200 with the last page */
  "POST /m2m/v1/devices/actions/list": {
    body: {
      /** Billing account; may be absent where it is the session's only one */
      accountName?: string | undefined;
      deviceId?: {
        id: string;
        kind: string;
      } | undefined;
      filter?: {
        /** All of them must fit */
        deviceIdentifierFilters?: ReadonlyArray<{
          kind: string;
          contains?: string | undefined;
          startswith?: string | undefined;
          endswith?: string | undefined;
        }> | undefined;
      } | undefined;
      currentState?: string | undefined;
      servicePlan?: string | undefined;
      /** ISO 8601; of the last activation, else of the plan or the creation. A day alone is one of the account, both included */
      earliest?: string | undefined;
      /** ISO 8601; of the last activation, else of the plan or the creation. A day alone is one of the account, both included */
      latest?: string | undefined;
      /** There are no groups */
      groupName?: string | undefined;
      customFields?: ReadonlyArray<{
        key: string;
        value: string;
      }> | undefined;
      /** At most, and without it, 2,000 devices are answered */
      maxNumberOfDevices?: number | undefined;
      /** Goes on after this device: largestDeviceIdSeen of the answer before, the DeviceId among the extendedAttributes of its last device, or an identifier of that device */
      largestDeviceIdSeen?: string | number | undefined;
    };
    answer: {
      devices: Array<{
        accountName: string;
        billingCycleEndDate: string;
        carrierInformations: Array<{
          carrierName: string;
          servicePlan: string;
          state: string;
        }>;
        connected: boolean;
        createdAt: string;
        customFields: Array<{
          key: string;
          value: string;
        }>;
        deviceIds: Array<{
          id: string;
          kind: string;
        }>;
        extendedAttributes: Array<{
          key: string;
          value: string;
        }>;
        groupNames: Array<string>;
        ipAddress: string;
        /** The user whose request activated the line */
        lastActivationBy?: string;
        lastActivationDate?: string;
      }>;
      hasMoreData: boolean;
      largestDeviceIdSeen?: string;
    };
  };
  /** Asks for what was billed in one month; the answer is one or more DeviceUsage callbacks */
  "POST /m2m/v1/devices/usage/actions/billedusage/list": {
    body: {
      /** Billing account, leading zeros kept; may be absent where it is the session's only one */
      accountName?: string | undefined;
      /** At most 10,000 */
      deviceIds?: ReadonlyArray<{
        id: string;
        kind: string;
      }> | undefined;
      labels?: ReadonlyArray<{
        name: string;
        value: string;
      }> | undefined;
      billingCycle: {
        year: string | number;
        month: string | number;
      };
    };
    answer: {
      /** The DeviceUsage callbacks carry the same value */
      requestId: string;
    };
  };
  /** Asks for the bytes that devices used in a time; the answer is one or more DeviceUsage callbacks */
  "POST /m2m/v1/devices/usage/actions/list/aggregate": {
    body: {
      /** Billing account, leading zeros kept; may be absent where it is the session's only one */
      accountName?: string | undefined;
      /** At most six months back */
      startTime: string;
      /** At most one month after startTime */
      endTime: string;
      /** At most 10,000 */
      deviceIds?: ReadonlyArray<{
        id: string;
        kind: string;
      }> | undefined;
      label?: {
        name: string;
        value: string;
      } | undefined;
      /** There are no groups */
      groupName?: string | undefined;
    };
    answer: {
      /** The DeviceUsage callbacks carry the same value */
      requestId: string;
    };
  };
  /** What a device, or all that carry a label, used day by day */
  "POST /m2m/v1/devices/usage/actions/list": {
    body: {
      /** Billing account, leading zeros kept; absent: that of the device, or the only one of the session */
      accountName?: string | undefined;
      /** ISO 8601: a day, or a time with its offset */
      earliest: string;
      /** ISO 8601: a day, or a time with its offset */
      latest: string;
      deviceId?: {
        id: string;
        kind: string;
      } | undefined;
      label?: {
        name: string;
        value: string;
      } | undefined;
    };
    answer: {
      /** Ask again with earliest after the last timestamp */
      hasMoreData: boolean;
      usageHistory: Array<{
        bytesUsed: number;
        extendedAttributes: Array<{
          key: string;
          value: string;
        }>;
        servicePlan: string;
        smsUsed: number;
        source: string;
        /** The beginning of the day in the account's time zone */
        timestamp: string;
      }>;
    };
  };
  /** How many SIM Secure licenses of each kind an account has bought, assigned and left */
  "POST /m2m/v1/accounts/subscriptions/actions/list": {
    body: {
      /** Required. Billing account, leading zeros kept */
      accountName?: string | undefined;
      /** One of the SKUs of SIM Secure, or another of up to 20 characters */
      skuNumber?: string | undefined;
    };
    answer: {
      accountName: string;
      subscriptionList: Array<{
        skuNumber: string;
        licenseType: string;
        licensePurchased: number;
        licenseAssigned: number;
        licenseAvailable: number;
        extendedAttributes: Array<{
          key: string;
          value: string;
        }>;
      }>;
    };
  };
  /** Gives SIM Secure licences of a SKU to devices; a CarrierService callback tells of each */
  "POST /m2m/v1/devices/license/actions/assign": {
    body: {
      /** Absent: the session's only account */
      accountName?: string | undefined;
      /** A SKU of which the account has licences */
      skuNumber: string;
      /** At most 100 devices, each with one or more of its identifiers */
      devices: ReadonlyArray<{
        deviceIds: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }>;
      }>;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Takes SIM Secure licences of a SKU back from devices; needs a body like the assignment */
  "DELETE /m2m/v1/devices/license/actions/assign": {
    body: {
      /** Absent: the session's only account */
      accountName?: string | undefined;
      /** A SKU of which the account has licences */
      skuNumber: string;
      /** At most 100 devices, each with one or more of its identifiers */
      devices: ReadonlyArray<{
        deviceIds: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }>;
      }>;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Registers or replaces the listener of a callback service; the header Webhook-Secret carries its secret */
  "POST /m2m/v1/callbacks/{accountName}": {
    path: {
      accountName: string;
    };
    body: {
      /** Callback service name */
      name: string;
      url?: string | undefined;
      username?: string | undefined;
      password?: string | undefined;
      rotateSecret?: boolean | undefined;
    };
    answer: {
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      account?: string;
    };
  };
  /** The listeners of the account, with the credentials they are sent */
  "GET /m2m/v1/callbacks/{accountName}": {
    path: {
      accountName: string;
    };
    answer: Array<{
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      /** "undefined" when it was never set */
      url: string;
      username?: string;
      password?: string;
    }>;
  };
  /** Removes a listener; what waits for it fails and can be re-sent */
  "DELETE /m2m/v1/callbacks/{accountName}/name/{service}": {
    path: {
      accountName: string;
      service: string;
    };
    answer: {
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      success?: boolean;
    };
  };
  /** Callbacks of the account, newest first, with every attempt */
  "GET /m2m/v1/callbacks/{accountName}/deliveries": {
    path: {
      accountName: string;
    };
    query?: {
      requestId?: string | undefined;
      serviceName?: string | undefined;
      state?: "pending" | "delivered" | "failed" | undefined;
      limit?: number | undefined;
    };
    answer: Array<{
      /** Also the webhook-id of every attempt */
      id: string;
      requestId: string;
      accountName: string;
      serviceName: string;
      state: string;
      createdAt: string;
      nextAttemptAt: string | null;
      payload: unknown;
      attempts: Array<{
        at: string;
        series: number;
        attempt: number;
        status: number | null;
        latencyMs: number;
        error: string | null;
        body: string;
      }>;
    }>;
  };
  /** Sends the failed callbacks of a request again, in a new series of attempts */
  "POST /m2m/v1/callbacks/{accountName}/resend": {
    path: {
      accountName: string;
    };
    body: {
      requestId: string;
    };
    answer: {
      resent: number;
    };
  };
  /** How far a request is that is answered by callbacks, and how many of its devices failed */
  "GET /m2m/v1/accounts/{accountName}/requests/{requestId}/status": {
    path: {
      accountName: string;
      requestId: string;
    };
    answer: {
      requestId: string;
      /** Pending, Success, or Failure when anything failed */
      status: string;
      operation: string;
      /** Of requests that change devices */
      devicesRequested?: number;
      /** Of requests that change devices */
      devicesPending?: number;
      /** Of requests that change devices */
      devicesSucceeded?: number;
      /** Of requests that change devices */
      devicesFailed?: number;
    };
  };
  /** Activates up to 10,000 devices on a plan; devices that are unknown are added first */
  "POST /m2m/v1/devices/actions/activate": {
    body: {
      /** Absent: the session's only account */
      accountName?: string | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      servicePlan: string;
      /** Where the lines are mostly used */
      mdnZipCode: string | number;
      /** Activation by SKU: plans cannot be changed until the SIM was updated over the air */
      skuNumber?: string | undefined;
      primaryPlaceOfUse?: {
        address?: {
          /** Physical address, no P.O. box */
          addressLine1?: string | undefined;
          /** Another spelling of addressLine1 */
          addresLine1?: string | undefined;
          addressLine2?: string | undefined;
          city?: string | undefined;
          /** Two letters */
          state?: string | undefined;
          /** 5 digits; a number may have lost the zeros that it began with */
          zip?: string | number | undefined;
          /** 4 digits */
          zip4?: string | undefined;
          /** US */
          country?: string | undefined;
        } | undefined;
        customerName?: {
          title?: string | undefined;
          /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
          firstName?: string | undefined;
          middleName?: string | undefined;
          /** Up to 25 of the same characters */
          lastName?: string | undefined;
          suffix?: string | undefined;
        } | undefined;
      } | undefined;
      /** Ignored: there are no device groups */
      groupName?: unknown;
      /** Ignored: there are no custom fields */
      customFields?: unknown;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Suspends devices, for 90 days at most; they return to active by themselves */
  "POST /m2m/v1/devices/actions/suspend": {
    body: {
      /** Absent: the session's only account. Without a list of devices all of the account's are meant; then it is required, and other members than those named here are refused */
      accountName?: string | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** With accountName and without devices: those that are on this plan */
      servicePlan?: string | undefined;
      /** Refused: there are no device groups */
      groupName?: unknown;
      /** Refused: there are no custom fields */
      customFields?: unknown;
      /** Whether the lines are billed meanwhile; absent: as their plan says */
      withBilling?: boolean | undefined;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Ends the suspension of devices */
  "POST /m2m/v1/devices/actions/restore": {
    body: {
      /** Absent: the session's only account. Without a list of devices all of the account's are meant; then it is required, and other members than those named here are refused */
      accountName?: string | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** With accountName and without devices: those that are on this plan */
      servicePlan?: string | undefined;
      /** Refused: there are no device groups */
      groupName?: unknown;
      /** Refused: there are no custom fields */
      customFields?: unknown;
      /** Ignored: an active line is billed */
      withBilling?: unknown;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Ends the service of devices, and deletes them where asked to */
  "POST /m2m/v1/devices/actions/deactivate": {
    body: {
      /** Absent: the session's only account */
      accountName?: string | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Refused: there are no device groups */
      groupName?: unknown;
      /** Refused: there are no custom fields */
      customFields?: unknown;
      /** Refused: lines are deactivated by a list of them */
      servicePlan?: unknown;
      /** FF */
      reasonCode: string;
      deleteAfterDeactivation?: boolean | undefined;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Tells by DeviceSuspensionStatus callbacks which devices are suspended, and for how long */
  "POST /m2m/v1/devices/suspension/status": {
    body: {
      /** Absent: the session's only account. Without a list of devices all of the account's are meant; then it is required, and other members than those named here are refused */
      accountName?: string | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** With accountName and without devices: those that are on this plan */
      servicePlan?: string | undefined;
      /** Refused: there are no device groups */
      groupName?: unknown;
      /** Refused: there are no custom fields */
      customFields?: unknown;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Puts up to 10,000 devices on another plan; a CarrierService callback tells of each */
  "PUT /m2m/v1/devices/actions/plan": {
    body: {
      /** Absent: the session's only account */
      accountName?: string | undefined;
      servicePlan: string;
      /** Only devices that are on this plan are changed. With accountName and without a list: all of the account that are; then other members than those named here are refused */
      currentServicePlan?: string | undefined;
      /** At most 10,000 devices, each with an IMEI of 15 or an ICCID of 20 digits, or both in this order */
      deviceListWithServiceAddress?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        /** Another spelling of deviceIds */
        deviceId?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        primaryPlaceOfUse?: {
          address?: {
            /** Physical address, no P.O. box */
            addressLine1?: string | undefined;
            /** Another spelling of addressLine1 */
            addresLine1?: string | undefined;
            addressLine2?: string | undefined;
            city?: string | undefined;
            /** Two letters */
            state?: string | undefined;
            /** 5 digits; a number may have lost the zeros that it began with */
            zip?: string | number | undefined;
            /** 4 digits */
            zip4?: string | undefined;
            /** US */
            country?: string | undefined;
          } | undefined;
          customerName?: {
            title?: string | undefined;
            /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
            firstName?: string | undefined;
            middleName?: string | undefined;
            /** Up to 25 of the same characters */
            lastName?: string | undefined;
            suffix?: string | undefined;
          } | undefined;
        } | undefined;
        /** Another spelling of primaryPlaceOfUse, which may hold itself */
        primaryPlaceofuse?: {
          address?: {
            /** Physical address, no P.O. box */
            addressLine1?: string | undefined;
            /** Another spelling of addressLine1 */
            addresLine1?: string | undefined;
            addressLine2?: string | undefined;
            city?: string | undefined;
            /** Two letters */
            state?: string | undefined;
            /** 5 digits; a number may have lost the zeros that it began with */
            zip?: string | number | undefined;
            /** 4 digits */
            zip4?: string | undefined;
            /** US */
            country?: string | undefined;
          } | undefined;
          customerName?: {
            title?: string | undefined;
            /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
            firstName?: string | undefined;
            middleName?: string | undefined;
            /** Up to 25 of the same characters */
            lastName?: string | undefined;
            suffix?: string | undefined;
          } | undefined;
          primaryPlaceofuse?: {
            address?: {
              /** Physical address, no P.O. box */
              addressLine1?: string | undefined;
              /** Another spelling of addressLine1 */
              addresLine1?: string | undefined;
              addressLine2?: string | undefined;
              city?: string | undefined;
              /** Two letters */
              state?: string | undefined;
              /** 5 digits; a number may have lost the zeros that it began with */
              zip?: string | number | undefined;
              /** 4 digits */
              zip4?: string | undefined;
              /** US */
              country?: string | undefined;
            } | undefined;
            customerName?: {
              title?: string | undefined;
              /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
              firstName?: string | undefined;
              middleName?: string | undefined;
              /** Up to 25 of the same characters */
              lastName?: string | undefined;
              suffix?: string | undefined;
            } | undefined;
          } | undefined;
        } | undefined;
      }> | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Refused: there are no device groups */
      groupName?: unknown;
      /** Refused: there are no custom fields */
      customFields?: unknown;
      /** Ignored: an account has one pool */
      carrierIpPoolName?: unknown;
      /** Refused when it is a later time than now: changes take effect at once */
      takeEffect?: unknown;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Puts up to 10,000 devices on another plan; a CarrierService callback tells of each */
  "POST /m2m/v1/devices/actions/plan": {
    body: {
      /** Absent: the session's only account */
      accountName?: string | undefined;
      servicePlan: string;
      /** Only devices that are on this plan are changed. With accountName and without a list: all of the account that are; then other members than those named here are refused */
      currentServicePlan?: string | undefined;
      /** At most 10,000 devices, each with an IMEI of 15 or an ICCID of 20 digits, or both in this order */
      deviceListWithServiceAddress?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        /** Another spelling of deviceIds */
        deviceId?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        primaryPlaceOfUse?: {
          address?: {
            /** Physical address, no P.O. box */
            addressLine1?: string | undefined;
            /** Another spelling of addressLine1 */
            addresLine1?: string | undefined;
            addressLine2?: string | undefined;
            city?: string | undefined;
            /** Two letters */
            state?: string | undefined;
            /** 5 digits; a number may have lost the zeros that it began with */
            zip?: string | number | undefined;
            /** 4 digits */
            zip4?: string | undefined;
            /** US */
            country?: string | undefined;
          } | undefined;
          customerName?: {
            title?: string | undefined;
            /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
            firstName?: string | undefined;
            middleName?: string | undefined;
            /** Up to 25 of the same characters */
            lastName?: string | undefined;
            suffix?: string | undefined;
          } | undefined;
        } | undefined;
        /** Another spelling of primaryPlaceOfUse, which may hold itself */
        primaryPlaceofuse?: {
          address?: {
            /** Physical address, no P.O. box */
            addressLine1?: string | undefined;
            /** Another spelling of addressLine1 */
            addresLine1?: string | undefined;
            addressLine2?: string | undefined;
            city?: string | undefined;
            /** Two letters */
            state?: string | undefined;
            /** 5 digits; a number may have lost the zeros that it began with */
            zip?: string | number | undefined;
            /** 4 digits */
            zip4?: string | undefined;
            /** US */
            country?: string | undefined;
          } | undefined;
          customerName?: {
            title?: string | undefined;
            /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
            firstName?: string | undefined;
            middleName?: string | undefined;
            /** Up to 25 of the same characters */
            lastName?: string | undefined;
            suffix?: string | undefined;
          } | undefined;
          primaryPlaceofuse?: {
            address?: {
              /** Physical address, no P.O. box */
              addressLine1?: string | undefined;
              /** Another spelling of addressLine1 */
              addresLine1?: string | undefined;
              addressLine2?: string | undefined;
              city?: string | undefined;
              /** Two letters */
              state?: string | undefined;
              /** 5 digits; a number may have lost the zeros that it began with */
              zip?: string | number | undefined;
              /** 4 digits */
              zip4?: string | undefined;
              /** US */
              country?: string | undefined;
            } | undefined;
            customerName?: {
              title?: string | undefined;
              /** Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs */
              firstName?: string | undefined;
              middleName?: string | undefined;
              /** Up to 25 of the same characters */
              lastName?: string | undefined;
              suffix?: string | undefined;
            } | undefined;
          } | undefined;
        } | undefined;
      }> | undefined;
      /** At most 10,000 devices, each with deviceIds, or with id and kind alone */
      devices?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Another name of devices */
      deviceList?: ReadonlyArray<{
        deviceIds?: ReadonlyArray<{
          id: string;
          /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
          kind: string;
        }> | undefined;
        id?: string | undefined;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind?: string | undefined;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Instead of devices: each entry is a device of its own */
      deviceIds?: ReadonlyArray<{
        id: string;
        /** ESN, EID, ICCID, IMEI, IMSI, MDN, MEID, MIN or MSISDN in any letter case */
        kind: string;
        /** Of an activation: IPv4; absent: the one that the line has, or a free one */
        ipAddress?: string | undefined;
      }> | undefined;
      /** Refused: there are no device groups */
      groupName?: unknown;
      /** Refused: there are no custom fields */
      customFields?: unknown;
      /** Ignored: an account has one pool */
      carrierIpPoolName?: unknown;
      /** Refused when it is a later time than now: changes take effect at once */
      takeEffect?: unknown;
    };
    answer: {
      /** The callback of each device carries it */
      requestId: string;
    };
  };
  /** Asks for what was billed, by APN or rating group, of an account or line by line; the answer is one or more DeviceUsage callbacks */
  "POST /m2m/v2/devices/usage/actions/billed": {
    body: {
      /** Billing account, leading zeros kept; may be absent where it is the session's only one */
      accountName?: string | undefined;
      /** true: a summary for each line; required unless deviceId is given */
      lineLevel?: boolean | undefined;
      /** Both ends included */
      billingCycle: {
        from: {
          year: number;
          month: number;
        };
        to: {
          year: number;
          month: number;
        };
      };
      /** kind EID (32 digits) or ICCID (18 to 22 digits) */
      deviceId?: {
        id: string;
        kind: string;
      } | undefined;
      /** kind imei (15 digits); at most 10,000; not together with deviceId */
      deviceIds?: ReadonlyArray<{
        id: string;
        kind: string;
      }> | undefined;
      /** Not valid for accounts with real-time rating */
      label?: {
        name: string;
        value: string;
      } | undefined;
    };
    answer: {
      /** The DeviceUsage callbacks carry the same value */
      requestId: string;
    };
  };
  /** Registers or replaces the listener of a callback service; the header Webhook-Secret carries its secret */
  "POST /fota/v1/callbacks/{accountName}": {
    path: {
      accountName: string;
    };
    body: {
      /** Callback service name */
      name: string;
      url?: string | undefined;
      username?: string | undefined;
      password?: string | undefined;
      rotateSecret?: boolean | undefined;
    };
    answer: {
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      account?: string;
    };
  };
  /** The listeners of the account, with the credentials they are sent */
  "GET /fota/v1/callbacks/{accountName}": {
    path: {
      accountName: string;
    };
    answer: Array<{
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      /** "undefined" when it was never set */
      url: string;
      username?: string;
      password?: string;
    }>;
  };
  /** Removes a listener; what waits for it fails and can be re-sent */
  "DELETE /fota/v1/callbacks/{accountName}/name/{service}": {
    path: {
      accountName: string;
      service: string;
    };
    answer: {
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      success?: boolean;
    };
  };
  /** Registers or replaces the listener of a callback service; the header Webhook-Secret carries its secret */
  "POST /loc/v1/callbacks/{accountName}": {
    path: {
      accountName: string;
    };
    body: {
      /** Callback service name */
      name: string;
      url?: string | undefined;
      username?: string | undefined;
      password?: string | undefined;
      rotateSecret?: boolean | undefined;
    };
    answer: {
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      account?: string;
    };
  };
  /** The listeners of the account, with the credentials they are sent */
  "GET /loc/v1/callbacks/{accountName}": {
    path: {
      accountName: string;
    };
    answer: Array<{
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      /** "undefined" when it was never set */
      url: string;
      username?: string;
      password?: string;
    }>;
  };
  /** Removes a listener; what waits for it fails and can be re-sent */
  "DELETE /loc/v1/callbacks/{accountName}/name/{service}": {
    path: {
      accountName: string;
      service: string;
    };
    answer: {
      accountName: string;
      serviceName: string;
      aname: string;
      name: string;
      success?: boolean;
    };
  };
  /** Excludes devices from being located, by a list of them or all at once, or allows them again */
  "POST /loc/v1/consents": {
    body: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Absent: replace */
      type?: "append" | "replace" | undefined;
      /** Absent: stays as it is */
      allDevice?: boolean | undefined;
      /** One identifier per device, at most 2000 in the list; empty only with allDevice false, which clears both */
      exclusion?: ReadonlyArray<string> | undefined;
    };
    answer: {
      success: boolean;
    };
  };
  /** Takes devices out of the exclusion list; those that are not in it stay allowed */
  "DELETE /loc/v1/consents": {
    query: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** IMEIs, MEIDs or ESNs, separated by commas */
      deviceList: string;
    };
    answer: {
      success: boolean;
      /** Named in the request and not in the list; absent when all were */
      notListed?: Array<string>;
    };
  };
  /** The exclusion list of the account from its beginning */
  "GET /loc/v1/consents/{accountName}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      allDevice: boolean;
      exclusion: Array<string>;
      hasMoreData: boolean;
      totalCount: number;
      /** Like 2018-05-18 19:20:50.076 +0000 UTC; empty if never changed */
      updateTime: string;
    };
  };
  /** The exclusion list of the account from an index on; beyond its end an empty page */
  "GET /loc/v1/consents/{accountName}/index/{startIndex}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** From 0 */
      startIndex: number;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      allDevice: boolean;
      exclusion: Array<string>;
      hasMoreData: boolean;
      totalCount: number;
      /** Like 2018-05-18 19:20:50.076 +0000 UTC; empty if never changed */
      updateTime: string;
    };
  };
  /** Sets the consent level of all devices and ends the levels of single ones; reports follow as callbacks of consentEnableReport */
  "PUT /loc/v1/devicelocations/action/consents": {
    body: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** 0 precise and coarse allowed, 1 only precise, 2 only coarse, 3 all denied; a number, or text with that digit */
      allDeviceConsent?: unknown;
      /** Refused here, null too: POST sets single devices */
      deviceList?: unknown;
    };
    answer: {
      /** The same in every callback of consentEnableReport */
      transactionID: string;
      transactionId: string;
      status: string;
    };
  };
  /** Gives single devices a consent level of their own; reports follow as callbacks of consentEnableReport */
  "POST /loc/v1/devicelocations/action/consents": {
    body: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** At most 10,000 devices */
      deviceList: ReadonlyArray<{
        /** IMEI, MEID or ESN */
        id: string;
        /** IMEI, MEID or ESN */
        kind: string;
        mdn?: string | undefined;
        /** 0 precise and coarse allowed, 1 only precise, 2 only coarse, 3 all denied; a number, or text with that digit */
        consent?: unknown;
      }>;
    };
    answer: {
      /** The same in every callback of consentEnableReport */
      transactionID: string;
      transactionId: string;
      status: string;
    };
  };
  /** The account's consent level, with that of one device or of the devices that have one of their own */
  "GET /loc/v1/devicelocations/action/consents": {
    query: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** IMEI, MEID or ESN */
      deviceId?: string | undefined;
      /** The id of the last device of the answer before */
      after?: string | undefined;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      allDeviceConsent?: number;
      deviceList: Array<{
        id: string;
        kind: string;
        mdn?: string;
        consent: number;
      }>;
      hasMoreData: boolean;
    };
  };
  /** When a device could be located, how precisely, and on which consent */
  "GET /loc/v1/consents/{accountName}/history": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
    };
    query: {
      /** IMEI, MEID or ESN */
      deviceId: string;
      /** IMEI, MEID or ESN; absent: any of these */
      kind?: string | undefined;
      /** Date and time; absent: 30 days before the end */
      from?: string | undefined;
      /** Date and time, not part of the range; absent or later than now: now */
      to?: string | undefined;
    };
    answer: {
      from: string;
      /** Where the answer ends */
      to: string;
      intervals: Array<{
        from: string;
        to: string;
        /** Whether coarse location was allowed */
        coarse: boolean;
        /** Whether precise location was allowed */
        precise: boolean;
        basis: "all-excluded" | "device-excluded" | "device-level" | "account-level" | "none";
        level: number | null;
        since: string | null;
        /** Who said so */
        actor: string | null;
      }>;
      /** Ask again from where this answer ends */
      hasMoreData: boolean;
    };
  };
  /** Where up to 20 devices are, answered at once */
  "POST /loc/v1/locations": {
    body: {
      accountName: string;
      /** 0 coarse (default), 1 precise */
      accuracyMode?: string | number | undefined;
      /** 0 cached only, 1 cached or current (default), 2 current */
      cacheMode?: string | number | undefined;
      /** Seconds: how old a cached position may be */
      maxLocAge?: string | number | undefined;
      deviceList: ReadonlyArray<{
        id: string;
        /** IMEI, MEID or ESN */
        kind: string;
        mdn?: string | undefined;
      }>;
    };
    answer: Array<{
      msid: string;
      pd: {
        /** Latitude in decimal degrees */
        x?: string;
        /** Longitude in decimal degrees */
        y?: string;
        /** Metres */
        radius?: string;
        qos?: boolean;
        /** yyyyMMddHHmmss in UTC */
        time?: string;
        /** With cacheMode 1: "2" from the cache, "0" fresh */
        cacheMode?: string;
      };
      error: {
        type?: string;
        info?: string;
        /** yyyyMMddHHmmss in UTC */
        time?: string;
      };
    }>;
  };
  /** What the account subscribed to for device location */
  "GET /loc/v1/subscriptions/{accountName}": {
    path: {
      accountName: string;
    };
    answer: {
      accountName: string;
      /** The SKU */
      locType: string;
      maxAllowance: string;
      purchaseTime: string;
    };
  };
  /** Billable location requests in a range of days, both ends included */
  "POST /loc/v1/usage": {
    body: {
      accountName: string;
      /** mm-dd-yyyy */
      startDate: string;
      /** mm-dd-yyyy; this day is included */
      endDate: string;
      usageForAllAccounts?: boolean | undefined;
      usageForAllAcounts?: boolean | undefined;
    };
    answer: {
      accountName: string;
      usageForAllAccounts: boolean;
      usageForAllAcounts: boolean;
      skuName: string;
      transactionsAllowed: string;
      totalTransactionCount: string;
      PrimaryAccount: {
        accountName?: string;
        transactionsCount?: string;
      };
      primaryAccount: {
        accountName?: string;
        transactionsCount?: string;
      };
      ManagedAccounts: Array<{
        accountName?: string;
        transactionsCount?: string;
      }>;
    };
  };
  /** Locates up to 10,000 devices; the report is read page by page */
  "POST /loc/v1/locationreports": {
    body: {
      accountName: string;
      /** 0 coarse (default), 1 precise */
      accuracyMode?: string | number | undefined;
      /** 0 cached only, 1 cached or current (default), 2 current */
      cacheMode?: string | number | undefined;
      /** Seconds: how old a cached position may be */
      maxLocAge?: string | number | undefined;
      deviceList: ReadonlyArray<{
        id: string;
        /** IMEI, MEID or ESN */
        kind: string;
        mdn?: string | undefined;
      }>;
    };
    answer: {
      txid: string;
      /** QUEUED, INPROGRESS, COMPLETED or CANCELLED */
      status: string;
    };
  };
  /** How far a location report is */
  "GET /loc/v1/locationreports/{accountName}/report/{txid}/status": {
    path: {
      accountName: string;
      txid: string;
    };
    answer: {
      txid: string;
      /** QUEUED, INPROGRESS, COMPLETED or CANCELLED */
      status: string;
    };
  };
  /** A page of 1,000 devices of a location report, in the order of the request */
  "GET /loc/v1/locationreports/{accountName}/report/{txid}/index/{startIndex}": {
    path: {
      accountName: string;
      txid: string;
      startIndex: number;
    };
    answer: {
      startIndex: string;
      txid: string;
      totalCount: number;
      hasMoreData: boolean;
      devLocationList: Array<{
        msid: string;
        pd: {
          /** Latitude in decimal degrees */
          x?: string;
          /** Longitude in decimal degrees */
          y?: string;
          /** Metres */
          radius?: string;
          qos?: boolean;
          /** yyyyMMddHHmmss in UTC */
          time?: string;
          /** With cacheMode 1: "2" from the cache, "0" fresh */
          cacheMode?: string;
        };
        error: {
          type?: string;
          info?: string;
          /** yyyyMMddHHmmss in UTC */
          time?: string;
        };
      }>;
    };
  };
  /** Cancels a location report that is still queued */
  "DELETE /loc/v1/locationreports/{accountName}/report/{txid}": {
    path: {
      accountName: string;
      txid: string;
    };
    answer: {
      txid: string;
    };
  };
  /** Locates up to 10,000 devices; each answer is a DeviceLocation callback */
  "POST /loc/v1/devicelocations": {
    body: {
      accountName: string;
      /** 0 coarse (default), 1 precise */
      accuracyMode?: string | number | undefined;
      /** 0 cached only, 1 cached or current (default), 2 current */
      cacheMode?: string | number | undefined;
      /** Seconds: how old a cached position may be */
      maxLocAge?: string | number | undefined;
      deviceList: ReadonlyArray<{
        id: string;
        /** IMEI, MEID or ESN */
        kind: string;
        mdn?: string | undefined;
      }>;
    };
    answer: {
      txid: string;
      /** QUEUED, INPROGRESS, COMPLETED or CANCELLED */
      status: string;
    };
  };
  /** Cancels a request that is still queued; some callbacks may already have gone out, and no others follow */
  "DELETE /loc/v1/devicelocations/{txid}": {
    path: {
      txid: string;
    };
    query: {
      accountName: string;
    };
    answer: {
      txid: string;
    };
  };
  /** Adds accounts to the primary account that calls; each then activates the service itself */
  "POST /subsc/v1/managedaccounts/actions/add": {
    body: {
      /** The primary account */
      accountName: string;
      /** Location or fota */
      serviceName: string;
      /** The SKU of the service */
      type: string;
      /** The accounts to be managed; one that is named twice is added and answered once */
      managedAccList: ReadonlyArray<string>;
    };
    answer: {
      txid: string;
      TxId: string;
      statusList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        status: "Success" | "Fail";
        reason: string;
      }>;
    };
  };
  /** Activates a service of the managed account that calls, billed with its primary account */
  "POST /subsc/v1/managedaccounts/actions/provision": {
    body: {
      /** The managed account */
      accountName: string;
      /** The primary account */
      paccountName: string;
      /** Location or fota */
      serviceName: string;
      /** The SKU with which the account was added */
      type: string;
      /** The transaction id of the last action on the account */
      TxId?: string | undefined;
      /** Another spelling of TxId, which goes first */
      txid?: string | undefined;
    };
    answer: {
      txid: string;
      TxId: string;
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Billing account, leading zeros kept */
      paccountName: string;
      /** Location or fota */
      serviceName: string;
      status: "Success" | "Fail";
      reason: string;
    };
  };
  /** Ends the activation of the managed account that calls, or an addition by either account; it may be added again */
  "POST /subsc/v1/managedaccounts/actions/cancel": {
    body: {
      /** The managed account */
      accountName: string;
      /** The primary account */
      paccountName: string;
      /** Location or fota */
      serviceName: string;
      /** The SKU with which the account was added */
      type: string;
      /** The transaction id of the last action on the account */
      TxId?: string | undefined;
      /** Another spelling of TxId, which goes first */
      txid?: string | undefined;
    };
    answer: {
      txid: string;
      TxId: string;
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Billing account, leading zeros kept */
      paccountName: string;
      /** Location or fota */
      serviceName: string;
      status: "Success" | "Fail";
      reason: string;
    };
  };
  /** The accounts that the primary account manages for a service, with their last transaction ids */
  "GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Location or fota */
      serviceName: string;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      ManagedAccAddedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
      managedAccAddedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
      managedAccProvisionedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
      ManagedAccProvisionedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
    };
  };
  /** The same with those of one status only; the other list is empty */
  "GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}/status/{status}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Location or fota */
      serviceName: string;
      /** added or provisioned */
      status: string;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      ManagedAccAddedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
      managedAccAddedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
      managedAccProvisionedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
      ManagedAccProvisionedList: Array<{
        /** Billing account, leading zeros kept */
        id: string;
        txid: string;
      }>;
    };
  };
  /** What the primary account is billed for in a month, by the account that used it */
  "GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}/statement/{month}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Location or fota */
      serviceName: string;
      /** yyyy-mm, a calendar month in the account's zone */
      month: string;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Location or fota */
      serviceName: string;
      month: string;
      skuName: string;
      transactionsAllowed: string;
      /** The sum of the lines */
      totalTransactionCount: string;
      lines: Array<{
        /** Billing account, leading zeros kept */
        accountName: string;
        /** Billable uses */
        transactionsCount: string;
      }>;
    };
  };
  /** A new trigger on the use of a service; it fires once a month for its percentage */
  "POST /subsc/v1/usage/triggers": {
    body: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Unique in the account */
      triggerName?: string | undefined;
      /** Location or fota */
      serviceName: string;
      /** Percent of subscribed use, a whole number from 1 to 1000 */
      thresholdValue: string | number;
      allowExcess?: boolean | undefined;
      sendSmsNotification?: boolean | undefined;
      /** Digits only, separated by commas; replaces the list */
      smsPhoneNumbers?: string | undefined;
      sendEmailNotification?: boolean | undefined;
      /** Separated by commas; replaces the list */
      emailAddresses?: string | undefined;
    };
    answer: {
      triggerId: string;
      triggerName: string;
      /** Billing account, leading zeros kept */
      accountName: string;
      serviceName: "Location" | "fota";
      thresholdValue: string;
      allowExcess: boolean;
      sendSmsNotification: boolean;
      smsPhoneNumbers: string;
      sendEmailNotification: boolean;
      emailAddresses: string;
      /** yyyy-mm-dd */
      createDate: string;
      /** yyyy-mm-dd */
      updateDate: string;
    };
  };
  /** Changes a trigger; what is absent stays as it is */
  "POST /subsc/v1/usage/triggers/{triggerId}": {
    path: {
      triggerId: string;
    };
    body: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Unique in the account */
      triggerName?: string | undefined;
      /** Cannot be changed */
      serviceName?: string | undefined;
      /** Percent of subscribed use, a whole number from 1 to 1000 */
      thresholdValue?: string | number | undefined;
      allowExcess?: boolean | undefined;
      sendSmsNotification?: boolean | undefined;
      /** Digits only, separated by commas; replaces the list */
      smsPhoneNumbers?: string | undefined;
      sendEmailNotification?: boolean | undefined;
      /** Separated by commas; replaces the list */
      emailAddresses?: string | undefined;
    };
    answer: {
      triggerId: string;
      triggerName: string;
      /** Billing account, leading zeros kept */
      accountName: string;
      serviceName: "Location" | "fota";
      thresholdValue: string;
      allowExcess: boolean;
      sendSmsNotification: boolean;
      smsPhoneNumbers: string;
      sendEmailNotification: boolean;
      emailAddresses: string;
      /** yyyy-mm-dd */
      createDate: string;
      /** yyyy-mm-dd */
      updateDate: string;
    };
  };
  /** The account's usage triggers that the user may keep */
  "GET /subsc/v1/usage/accounts/{accountName}/triggers": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
    };
    answer: Array<{
      triggerId: string;
      triggerName: string;
      /** Billing account, leading zeros kept */
      accountName: string;
      serviceName: "Location" | "fota";
      thresholdValue: string;
      allowExcess: boolean;
      sendSmsNotification: boolean;
      smsPhoneNumbers: string;
      sendEmailNotification: boolean;
      emailAddresses: string;
    }>;
  };
  /** One usage trigger */
  "GET /subsc/v1/usage/accounts/{accountName}/triggers/{triggerId}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      triggerId: string;
    };
    answer: {
      triggerId: string;
      triggerName: string;
      /** Billing account, leading zeros kept */
      accountName: string;
      serviceName: "Location" | "fota";
      thresholdValue: string;
      allowExcess: boolean;
      sendSmsNotification: boolean;
      smsPhoneNumbers: string;
      sendEmailNotification: boolean;
      emailAddresses: string;
    };
  };
  /** Removes a trigger; what it has fired stays on record */
  "DELETE /subsc/v1/usage/accounts/{accountName}/triggers/{triggerId}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      triggerId: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** When the trigger fired and why, newest first */
  "GET /subsc/v1/usage/accounts/{accountName}/triggers/{triggerId}/firings": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      triggerId: string;
    };
    query?: {
      /** 100 when absent */
      limit?: number | undefined;
      /** firingId of the last one of the answer before */
      before?: string | undefined;
    };
    answer: Array<{
      firingId: string;
      triggerId: string;
      kind: "usage" | "pricePlan";
      accountName: string;
      /** What was counted */
      subject: string;
      level: number;
      levelKind: "percent" | "bytes" | "suspendBytes" | "billCycles" | "poolBelow";
      cycle: {
        from: string;
        to: string;
      };
      /** The counter before the record that crossed the threshold */
      before: number;
      /** The counter after it */
      after: number;
      /** In the unit of the counter */
      threshold: number;
      usageRecordId: string | null;
      /** No record reached the level: usage was moved to the plan by a change that begins in the past */
      cause?: "planChange";
      ruleVersion: number;
      firedAt: string;
      /** The cycle had closed already */
      late: boolean;
    }>;
  };
  /** A new trigger that notifies, suspends or changes plans when data usage meets its condition */
  "POST /m2m/v2/triggers": {
    body: {
      triggerName: string;
      /** The profile; absent: that of the caller's accounts */
      ecpdId?: string | undefined;
      triggerCategory?: "PricePlanDataUsage" | undefined;
      /** Exactly one of the two */
      pricePlanTrigger: {
        /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
        payAsYouGo?: {
          [name: string]: unknown;
        } | undefined;
        /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
        accountGroupShare?: {
          [name: string]: unknown;
        } | undefined;
        [name: string]: unknown;
      };
      /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
      notification: {
        [name: string]: unknown;
      };
      active?: boolean | undefined;
    };
    answer: {
      triggerId: string;
    };
  };
  /** Changes a trigger; what is absent stays as it is */
  "PUT /m2m/v2/triggers": {
    body: {
      triggerId: string;
      triggerName?: string | undefined;
      /** The profile; absent: that of the caller's accounts */
      ecpdId?: string | undefined;
      triggerCategory?: "PricePlanDataUsage" | undefined;
      /** Exactly one of the two */
      pricePlanTrigger?: {
        /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
        payAsYouGo?: {
          [name: string]: unknown;
        } | undefined;
        /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
        accountGroupShare?: {
          [name: string]: unknown;
        } | undefined;
        [name: string]: unknown;
      } | undefined;
      /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
      notification?: {
        [name: string]: unknown;
      } | undefined;
      active?: boolean | undefined;
    };
    answer: {
      triggerId: string;
    };
  };
  /** The triggers whose accounts the session may use, oldest first; X-Next tells that there are more */
  "GET /m2m/v2/triggers": {
    query?: {
      /** 1000 when absent */
      limit?: number | undefined;
      /** X-Next of the answer before */
      page?: string | undefined;
    };
    answer: {
      triggers: Array<{
        triggerId: string;
        triggerName: string;
        ecpdId: string;
        /** The first account that it names, or of the profile */
        accountName: string;
        organizationName: string;
        triggerCategory: string;
        triggerAttributes: Array<{
          key: string;
          value: string;
        }>;
        /** Exactly one of the two */
        pricePlanTrigger?: {
          /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
          payAsYouGo?: {
            [name: string]: unknown;
          };
          /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
          accountGroupShare?: {
            [name: string]: unknown;
          };
          [name: string]: unknown;
        };
        /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
        notification?: {
          [name: string]: unknown;
        };
        active: boolean;
        createdAt: string;
        modifiedAt: string;
      }>;
    };
  };
  /** Removes a trigger; what it has fired stays on record */
  "DELETE /m2m/v2/triggers/{triggerId}": {
    path: {
      triggerId: string;
    };
    answer: {
      triggerId: string;
    };
  };
  /** One trigger, as a list */
  "GET /m2m/v2/triggers/{triggerId}": {
    path: {
      triggerId: string;
    };
    answer: {
      triggers: Array<{
        triggerId: string;
        triggerName: string;
        ecpdId: string;
        /** The first account that it names, or of the profile */
        accountName: string;
        organizationName: string;
        triggerCategory: string;
        triggerAttributes: Array<{
          key: string;
          value: string;
        }>;
        /** Exactly one of the two */
        pricePlanTrigger?: {
          /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
          payAsYouGo?: {
            [name: string]: unknown;
          };
          /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
          accountGroupShare?: {
            [name: string]: unknown;
          };
          [name: string]: unknown;
        };
        /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
        notification?: {
          [name: string]: unknown;
        };
        active: boolean;
        createdAt: string;
        modifiedAt: string;
      }>;
    };
  };
  /** The triggers of a category; those of others than PricePlanDataUsage are not kept here */
  "GET /m2m/v2/triggers/categories/{category}": {
    path: {
      category: string;
    };
    query?: {
      /** 1000 when absent */
      limit?: number | undefined;
      /** X-Next of the answer before */
      page?: string | undefined;
    };
    answer: {
      triggers: Array<{
        triggerId: string;
        triggerName: string;
        ecpdId: string;
        /** The first account that it names, or of the profile */
        accountName: string;
        organizationName: string;
        triggerCategory: string;
        triggerAttributes: Array<{
          key: string;
          value: string;
        }>;
        /** Exactly one of the two */
        pricePlanTrigger?: {
          /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
          payAsYouGo?: {
            [name: string]: unknown;
          };
          /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
          accountGroupShare?: {
            [name: string]: unknown;
          };
          [name: string]: unknown;
        };
        /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
        notification?: {
          [name: string]: unknown;
        };
        active: boolean;
        createdAt: string;
        modifiedAt: string;
      }>;
    };
  };
  /** The triggers that name the account, or watch a group that it shares in */
  "GET /m2m/v2/triggers/accounts/{accountName}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
    };
    query?: {
      /** 1000 when absent */
      limit?: number | undefined;
      /** X-Next of the answer before */
      page?: string | undefined;
    };
    answer: {
      triggers: Array<{
        triggerId: string;
        triggerName: string;
        ecpdId: string;
        /** The first account that it names, or of the profile */
        accountName: string;
        organizationName: string;
        triggerCategory: string;
        triggerAttributes: Array<{
          key: string;
          value: string;
        }>;
        /** Exactly one of the two */
        pricePlanTrigger?: {
          /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
          payAsYouGo?: {
            [name: string]: unknown;
          };
          /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
          accountGroupShare?: {
            [name: string]: unknown;
          };
          [name: string]: unknown;
        };
        /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
        notification?: {
          [name: string]: unknown;
        };
        active: boolean;
        createdAt: string;
        modifiedAt: string;
      }>;
    };
  };
  /** What the trigger said over time, newest first: firings name the version that they followed */
  "GET /m2m/v2/triggers/{triggerId}/versions": {
    path: {
      triggerId: string;
    };
    query?: {
      /** 100 when absent */
      limit?: number | undefined;
      /** The last version of the answer before */
      before?: number | undefined;
    };
    answer: {
      triggerId: string;
      versions: Array<{
        version: number;
        triggerName: string;
        /** Exactly one of the two */
        pricePlanTrigger?: {
          /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
          payAsYouGo?: {
            [name: string]: unknown;
          };
          /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
          accountGroupShare?: {
            [name: string]: unknown;
          };
          [name: string]: unknown;
        };
        /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
        notification?: {
          [name: string]: unknown;
        };
        active: boolean;
        writtenAt: string;
        /** The user; absent for the fleet document */
        writtenBy?: string;
      }>;
    };
  };
  /** What a trigger would have fired in a past period, on whom, and what it would have done */
  "POST /m2m/v2/triggers/actions/backtest": {
    body: {
      triggerName?: string | undefined;
      /** The profile; absent: that of the caller's accounts */
      ecpdId?: string | undefined;
      triggerCategory?: "PricePlanDataUsage" | undefined;
      /** Exactly one of the two */
      pricePlanTrigger: {
        /** filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel, UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan, changePlanDetails, agingDetails} */
        payAsYouGo?: {
          [name: string]: unknown;
        } | undefined;
        /** One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition {action: notify, suspend or changePricePlan} and action */
        accountGroupShare?: {
          [name: string]: unknown;
        } | undefined;
        [name: string]: unknown;
      };
      /** notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName, smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical */
      notification?: {
        [name: string]: unknown;
      } | undefined;
      active?: boolean | undefined;
      /** Days on which usage occurred, where the account is; both included, at most 92 */
      period: {
        from: string;
        to: string;
      };
    };
    answer: {
      /** Earliest first */
      firings: Array<{
        /** What was counted: a device, an account or a pool */
        subject: string;
        deviceIds?: Array<{
          id: string;
          kind: string;
        }>;
        accountName: string;
        level: number;
        levelKind: "percent" | "bytes" | "suspendBytes" | "billCycles" | "poolBelow";
        cycle: {
          from: string;
          to: string;
        };
        at: string;
        before: number;
        after: number;
        /** In the unit of the counter */
        threshold: number;
        usageRecordId: string | null;
        /** Usage was moved to the plan */
        cause?: "planChange";
        /** The cycle had closed already: it would have been told only */
        late: boolean;
        action: {
          type: "notify" | "suspend" | "changePlan";
          suspendDuration?: string;
          suspendOption?: string;
          /** All lines of these accounts on the plan; absent: the line that fired */
          fromAccounts?: Array<string>;
          toCarrierServicePlanCode?: string;
          /** Of lines in the pool, until its buffer is restored */
          moves?: Array<{
            fromCarrierCode: string;
            toCarrierCode: string;
          }>;
        };
      }>;
      /** There are more, or there was no time to look at everything */
      truncated: boolean;
    };
  };
  /** When the trigger fired, why, and what it did, newest first; also of one that was deleted */
  "GET /m2m/v2/triggers/{triggerId}/firings": {
    path: {
      triggerId: string;
    };
    query?: {
      /** 100 when absent */
      limit?: number | undefined;
      /** The last firing of the answer before */
      before?: string | undefined;
    };
    answer: {
      triggerId: string;
      firings: Array<{
        firingId: string;
        triggerId: string;
        kind: "usage" | "pricePlan";
        accountName: string;
        /** What was counted */
        subject: string;
        level: number;
        levelKind: "percent" | "bytes" | "suspendBytes" | "billCycles" | "poolBelow";
        cycle: {
          from: string;
          to: string;
        };
        /** The counter before the record that crossed the threshold */
        before: number;
        /** The counter after it */
        after: number;
        /** In the unit of the counter */
        threshold: number;
        usageRecordId: string | null;
        /** No record reached the level: usage was moved to the plan by a change that begins in the past */
        cause?: "planChange";
        ruleVersion: number;
        firedAt: string;
        /** The cycle had closed already */
        late: boolean;
        actions: Array<{
          accountName: string;
          kind: "suspend" | "changePlan";
          /** What is done to the lines */
          params: {
            [name: string]: unknown;
          };
          state: "waiting" | "running" | "awaitingApproval" | "done" | "failed" | "skipped";
          deviceCount: number;
          succeeded: number;
          failed: number;
          /** Why nothing was done, or what failed first */
          reason?: string;
          requestIds: Array<string>;
        }>;
      }>;
    };
  };
  /** Lets a firing do what it waits with because it touches more devices than it may by itself */
  "POST /m2m/v2/triggers/firings/{firingId}/approve": {
    path: {
      firingId: string;
    };
    answer: {
      firingId: string;
      actions: Array<{
        accountName: string;
        kind: "suspend" | "changePlan";
        /** What is done to the lines */
        params: {
          [name: string]: unknown;
        };
        state: "waiting" | "running" | "awaitingApproval" | "done" | "failed" | "skipped";
        deviceCount: number;
        succeeded: number;
        failed: number;
        /** Why nothing was done, or what failed first */
        reason?: string;
        requestIds: Array<string>;
      }>;
    };
  };
  /** Drops what a firing waits with; the firing stays on record */
  "POST /m2m/v2/triggers/firings/{firingId}/reject": {
    path: {
      firingId: string;
    };
    answer: {
      firingId: string;
      actions: Array<{
        accountName: string;
        kind: "suspend" | "changePlan";
        /** What is done to the lines */
        params: {
          [name: string]: unknown;
        };
        state: "waiting" | "running" | "awaitingApproval" | "done" | "failed" | "skipped";
        deviceCount: number;
        succeeded: number;
        failed: number;
        /** Why nothing was done, or what failed first */
        reason?: string;
        requestIds: Array<string>;
      }>;
    };
  };
  /** Records of devices that are no gateway or sensor */
  "POST /dm/v1/devices/actions/query": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: string | null;
      billingaccountid?: string | null;
      chipset?: string | null;
      createdon?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      esn?: number | null;
      fields?: {
        [name: string]: unknown;
      };
      foreignid?: string | null;
      hardwareversion?: string | null;
      iccid?: string | null;
      id?: string | null;
      imei?: number | null;
      imsi?: number | null;
      lastupdated?: string | null;
      licenses?: Array<unknown>;
      mac?: string | null;
      manufacturer?: string | null;
      meid?: string | null;
      msisdn?: string | null;
      name?: string | null;
      parentdeviceid?: string | null;
      productmodel?: string | null;
      providerid?: string | null;
      qrcode?: string | null;
      refid?: string | null;
      refidtype?: string | null;
      serial?: string | null;
      services?: Array<unknown>;
      sku?: string | null;
      softwareversion?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
      commands?: {
        [name: string]: unknown;
      };
      modelmetadata?: {
        [name: string]: unknown;
      };
      /** With $expand */
      sensors?: Array<{
        [name: string]: unknown;
      }>;
      /** With $expand */
      parentdevice?: {
        [name: string]: unknown;
      } | null;
    }>;
  };
  /** Records of gateways */
  "POST /dm/v1/devices/gateways/actions/query": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: string | null;
      billingaccountid?: string | null;
      chipset?: string | null;
      createdon?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      esn?: number | null;
      fields?: {
        [name: string]: unknown;
      };
      foreignid?: string | null;
      hardwareversion?: string | null;
      iccid?: string | null;
      id?: string | null;
      imei?: number | null;
      imsi?: number | null;
      lastupdated?: string | null;
      licenses?: Array<unknown>;
      mac?: string | null;
      manufacturer?: string | null;
      meid?: string | null;
      msisdn?: string | null;
      name?: string | null;
      parentdeviceid?: string | null;
      productmodel?: string | null;
      providerid?: string | null;
      qrcode?: string | null;
      refid?: string | null;
      refidtype?: string | null;
      serial?: string | null;
      services?: Array<unknown>;
      sku?: string | null;
      softwareversion?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
      /** With $expand */
      sensors?: Array<{
        [name: string]: unknown;
      }>;
    }>;
  };
  /** Records of gateways */
  "PATCH /dm/v1/devices/gateways/actions/query": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: string | null;
      billingaccountid?: string | null;
      chipset?: string | null;
      createdon?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      esn?: number | null;
      fields?: {
        [name: string]: unknown;
      };
      foreignid?: string | null;
      hardwareversion?: string | null;
      iccid?: string | null;
      id?: string | null;
      imei?: number | null;
      imsi?: number | null;
      lastupdated?: string | null;
      licenses?: Array<unknown>;
      mac?: string | null;
      manufacturer?: string | null;
      meid?: string | null;
      msisdn?: string | null;
      name?: string | null;
      parentdeviceid?: string | null;
      productmodel?: string | null;
      providerid?: string | null;
      qrcode?: string | null;
      refid?: string | null;
      refidtype?: string | null;
      serial?: string | null;
      services?: Array<unknown>;
      sku?: string | null;
      softwareversion?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
      /** With $expand */
      sensors?: Array<{
        [name: string]: unknown;
      }>;
    }>;
  };
  /** Records of sensors */
  "POST /dm/v1/devices/sensors/actions/query": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: string | null;
      billingaccountid?: string | null;
      chipset?: string | null;
      createdon?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      esn?: number | null;
      fields?: {
        [name: string]: unknown;
      };
      foreignid?: string | null;
      hardwareversion?: string | null;
      iccid?: string | null;
      id?: string | null;
      imei?: number | null;
      imsi?: number | null;
      lastupdated?: string | null;
      licenses?: Array<unknown>;
      mac?: string | null;
      manufacturer?: string | null;
      meid?: string | null;
      msisdn?: string | null;
      name?: string | null;
      parentdeviceid?: string | null;
      productmodel?: string | null;
      providerid?: string | null;
      qrcode?: string | null;
      refid?: string | null;
      refidtype?: string | null;
      serial?: string | null;
      services?: Array<unknown>;
      sku?: string | null;
      softwareversion?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
      /** With $expand */
      parentdevice?: {
        [name: string]: unknown;
      } | null;
    }>;
  };
  /** Records of users; resourceidentifier is not looked at */
  "POST /dm/v1/users/actions/query": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: string | null;
      ackterms?: boolean | null;
      acktermson?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      credentialsid?: string | null;
      credentialstype?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      displayname?: string | null;
      email?: string | null;
      firstname?: string | null;
      foreignid?: string | null;
      id?: string | null;
      lastname?: string | null;
      lastupdated?: string | null;
      mdn?: string | null;
      middlename?: string | null;
      name?: string | null;
      number?: string | null;
      requestedon?: string | null;
      secondarybillingaccountids?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
    }>;
  };
  /** Records of rules, each with whether it is evaluated */
  "POST /dm/v1/rules/actions/query": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      description?: string | null;
      deviceid?: string | null;
      disabled?: boolean | null;
      foreignid?: string | null;
      id?: string | null;
      lastupdated?: string | null;
      name?: string | null;
      rulechain?: {
        [name: string]: unknown;
      };
      rulesyntax?: string | null;
      version?: string | null;
      versionid?: string | null;
      /** Whether readings are compared with the rule, else why not */
      evaluation?: {
        active: boolean;
        dialect?: string;
        reason?: string;
      };
    }>;
  };
  /** A new user of the account */
  "POST /dm/v1/users": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      user: {
        /** Where it is given, it must be the present one */
        versionid?: string | undefined;
        name?: string | undefined;
        description?: string | undefined;
        ackterms?: boolean | undefined;
        credentialsid?: string | undefined;
        customdata?: {
          [name: string]: unknown;
        } | undefined;
        displayname?: string | undefined;
        email?: string | undefined;
        firstname?: string | undefined;
        lastname?: string | undefined;
        middlename?: string | undefined;
        mdn?: string | undefined;
      };
    };
    answer: {
      accountclientid?: string | null;
      ackterms?: boolean | null;
      acktermson?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      credentialsid?: string | null;
      credentialstype?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      displayname?: string | null;
      email?: string | null;
      firstname?: string | null;
      foreignid?: string | null;
      id?: string | null;
      lastname?: string | null;
      lastupdated?: string | null;
      mdn?: string | null;
      middlename?: string | null;
      name?: string | null;
      number?: string | null;
      requestedon?: string | null;
      secondarybillingaccountids?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
    };
  };
  /** Changes a user; what is absent stays as it is, customdata is replaced whole */
  "PATCH /dm/v1/users": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      /** UUID of the record */
      id: string;
      /** Where it is given, it must be the present one */
      versionid?: string | undefined;
      user: {
        /** Where it is given, it must be the present one */
        versionid?: string | undefined;
        name?: string | undefined;
        description?: string | undefined;
        ackterms?: boolean | undefined;
        credentialsid?: string | undefined;
        customdata?: {
          [name: string]: unknown;
        } | undefined;
        displayname?: string | undefined;
        email?: string | undefined;
        firstname?: string | undefined;
        lastname?: string | undefined;
        middlename?: string | undefined;
        mdn?: string | undefined;
      };
    };
    answer: {
      accountclientid?: string | null;
      ackterms?: boolean | null;
      acktermson?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      credentialsid?: string | null;
      credentialstype?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      displayname?: string | null;
      email?: string | null;
      firstname?: string | null;
      foreignid?: string | null;
      id?: string | null;
      lastname?: string | null;
      lastupdated?: string | null;
      mdn?: string | null;
      middlename?: string | null;
      name?: string | null;
      number?: string | null;
      requestedon?: string | null;
      secondarybillingaccountids?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
    };
  };
  /** Removes a user; answers the record as it was */
  "DELETE /dm/v1/users": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      /** UUID of the record */
      id: string;
      /** Where it is given, it must be the present one */
      versionid?: string | undefined;
    };
    answer: {
      accountclientid?: string | null;
      ackterms?: boolean | null;
      acktermson?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      credentialsid?: string | null;
      credentialstype?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      displayname?: string | null;
      email?: string | null;
      firstname?: string | null;
      foreignid?: string | null;
      id?: string | null;
      lastname?: string | null;
      lastupdated?: string | null;
      mdn?: string | null;
      middlename?: string | null;
      name?: string | null;
      number?: string | null;
      requestedon?: string | null;
      secondarybillingaccountids?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
    };
  };
  /** Replaces the whole rule that resourceidentifier.id names; without an id it makes a new one */
  "POST /dm/v1/rules": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
      /** Where it is given, it must be the present one */
      versionid?: string | undefined;
      rule: {
        /** Where it is given, it must be the present one */
        versionid?: string | undefined;
        name?: string | undefined;
        description?: string | undefined;
        deviceid?: string | undefined;
        disabled?: boolean | undefined;
        rulechain?: {
          [name: string]: unknown;
        } | undefined;
        rulesyntax?: string | undefined;
      };
    };
    answer: {
      accountclientid?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      description?: string | null;
      deviceid?: string | null;
      disabled?: boolean | null;
      foreignid?: string | null;
      id?: string | null;
      lastupdated?: string | null;
      name?: string | null;
      rulechain?: {
        [name: string]: unknown;
      };
      rulesyntax?: string | null;
      version?: string | null;
      versionid?: string | null;
      /** Whether readings are compared with the rule, else why not */
      evaluation?: {
        active: boolean;
        dialect?: string;
        reason?: string;
      };
    };
  };
  /** Removes a rule; answers the record as it was */
  "DELETE /dm/v1/rules": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      /** UUID of the record */
      id?: string | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
      /** Where it is given, it must be the present one */
      versionid?: string | undefined;
    };
    answer: {
      accountclientid?: string | null;
      billingaccountid?: string | null;
      createdon?: string | null;
      description?: string | null;
      deviceid?: string | null;
      disabled?: boolean | null;
      foreignid?: string | null;
      id?: string | null;
      lastupdated?: string | null;
      name?: string | null;
      rulechain?: {
        [name: string]: unknown;
      };
      rulesyntax?: string | null;
      version?: string | null;
      versionid?: string | null;
      /** Whether readings are compared with the rule, else why not */
      evaluation?: {
        active: boolean;
        dialect?: string;
        reason?: string;
      };
    };
  };
  /** Changes what the owner says of a device, gateway or sensor; what is absent stays as it is */
  "PATCH /dm/v1/devices": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      /** UUID of the record */
      id?: string | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      } | undefined;
      /** Where it is given, it must be the present one */
      versionid?: string | undefined;
      device: {
        /** Where it is given, it must be the present one */
        versionid?: string | undefined;
        name?: string | undefined;
        description?: string | undefined;
        refid?: string | undefined;
        refidtype?: string | undefined;
        customdata?: {
          [name: string]: unknown;
        } | undefined;
      };
    };
    answer: {
      accountclientid?: string | null;
      billingaccountid?: string | null;
      chipset?: string | null;
      createdon?: string | null;
      customdata?: {
        [name: string]: unknown;
      };
      description?: string | null;
      esn?: number | null;
      fields?: {
        [name: string]: unknown;
      };
      foreignid?: string | null;
      hardwareversion?: string | null;
      iccid?: string | null;
      id?: string | null;
      imei?: number | null;
      imsi?: number | null;
      lastupdated?: string | null;
      licenses?: Array<unknown>;
      mac?: string | null;
      manufacturer?: string | null;
      meid?: string | null;
      msisdn?: string | null;
      name?: string | null;
      parentdeviceid?: string | null;
      productmodel?: string | null;
      providerid?: string | null;
      qrcode?: string | null;
      refid?: string | null;
      refidtype?: string | null;
      serial?: string | null;
      services?: Array<unknown>;
      sku?: string | null;
      softwareversion?: string | null;
      state?: string | null;
      version?: string | null;
      versionid?: string | null;
      commands?: {
        [name: string]: unknown;
      };
      modelmetadata?: {
        [name: string]: unknown;
      };
      /** With $expand */
      sensors?: Array<{
        [name: string]: unknown;
      }>;
      /** With $expand */
      parentdevice?: {
        [name: string]: unknown;
      } | null;
    };
  };
  /** Sets members of the configuration of a device, gateway or sensor, which its record has as fields */
  "POST /dm/v1/devices/actions/set": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      resourceidentifier: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      };
      /** Where it is given, it must be the present one */
      versionid?: string | undefined;
      configuration: {
        [name: string]: unknown;
      };
    };
    answer: {
      actionresult: Array<{
        id: string;
        transactionid: string;
        deviceid: string;
        fields: {
          [name: string]: unknown;
        };
        foreignid: string;
        createdon: string;
        lastupdated: string;
        state: "success";
        version: string;
        versionid: string;
      }>;
    };
  };
  /** When and by what the service last heard of a device */
  "POST /dm/v1/devices/lastreported": {
    body: {
      /** Billing account, leading zeros kept */
      accountname: string;
      resourceidentifier: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
      };
    };
    answer: {
      event: string | null;
      timestamp: string | null;
    };
  };
  /** Smart alerts that rules have raised, the newest first; X-Next is the $page of what follows */
  "POST /dm/v1/smartAlerts/actions/query": {
    body: {
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
        /** UUID of the rule that raised it */
        ruleid?: unknown;
      } | undefined;
    };
    answer: Array<{
      accountclientid?: null;
      acknowledged?: boolean;
      acknowledgedby?: string | null;
      acknowledgedon?: string | null;
      billingaccountid?: string;
      cause?: "condition" | "absence";
      clearedon?: string | null;
      clearedreason?: string | null;
      createdon?: string;
      description?: string;
      deviceid?: string;
      foreignid?: string;
      id?: string;
      lastupdated?: string;
      name?: string;
      raisedon?: string;
      reading?: {
        [name: string]: unknown;
      };
      ruleid?: string;
      state?: "raised" | "cleared";
      version?: string;
      versionid?: string;
    }>;
  };
  /** Notes who has seen a smart alert, or takes that back; whether it is raised or cleared stays */
  "PATCH /dm/v1/smartAlerts": {
    body: {
      accountname: string;
      id?: string | undefined;
      resourceidentifier?: {
        id?: string | undefined;
      } | undefined;
      acknowledged?: boolean | undefined;
      versionid?: string | undefined;
      smartalert?: {
        acknowledged?: boolean | undefined;
        versionid?: string | undefined;
      } | undefined;
    };
    answer: {
      accountclientid: null;
      acknowledged: boolean;
      acknowledgedby: string | null;
      acknowledgedon: string | null;
      billingaccountid: string;
      cause: "condition" | "absence";
      clearedon: string | null;
      clearedreason: string | null;
      createdon: string;
      description: string;
      deviceid: string;
      foreignid: string;
      id: string;
      lastupdated: string;
      name: string;
      raisedon: string;
      reading: {
        [name: string]: unknown;
      };
      ruleid: string;
      state: "raised" | "cleared";
      version: string;
      versionid: string;
    };
  };
  /** Notes who has seen several smart alerts, or takes that back: all of them or none */
  "POST /dm/v1/smartAlerts/actions/bulkupdate": {
    body: {
      accountname: string;
      ids: ReadonlyArray<string>;
      acknowledged?: boolean | undefined;
    };
    answer: Array<{
      accountclientid: null;
      acknowledged: boolean;
      acknowledgedby: string | null;
      acknowledgedon: string | null;
      billingaccountid: string;
      cause: "condition" | "absence";
      clearedon: string | null;
      clearedreason: string | null;
      createdon: string;
      description: string;
      deviceid: string;
      foreignid: string;
      id: string;
      lastupdated: string;
      name: string;
      raisedon: string;
      reading: {
        [name: string]: unknown;
      };
      ruleid: string;
      state: "raised" | "cleared";
      version: string;
      versionid: string;
    }>;
  };
  /** How many smart alerts there are by state, of all or of those that a query would answer */
  "POST /dm/v1/smartAlerts/actions/metrics": {
    body: {
      accountname: string;
      filter?: {
        /** parentdevice and sensors, separated by commas: the records themselves, under these names */
        $expand?: string | undefined;
        /** Records of a page; 100 when absent */
        $limitnumber?: number | undefined;
        /** True: up to 10000 records in one answer */
        $nopagination?: boolean | undefined;
        /** X-Next of the answer before */
        $page?: string | undefined;
        $pagenumber?: number | undefined;
        /** The fields that are answered; names that nobody knows are ignored */
        $projection?: ReadonlyArray<string> | undefined;
        /** Field to value; all must be equal. Dots lead into objects */
        $selection?: {
          [name: string]: unknown;
        } | undefined;
      } | undefined;
      resourceidentifier?: {
        /** UUID of the record; text or number */
        id?: unknown;
        /** EUI-64; text or number */
        deveui?: unknown;
        /** UUID of the device; text or number */
        deviceid?: unknown;
        /** 64-bit integer; text or number */
        esn?: unknown;
        /** 20 digits; text or number */
        iccid?: unknown;
        /** 15 digits; text or number */
        imei?: unknown;
        /** 64-bit integer; text or number */
        imsi?: unknown;
        /** Joined by - or :; text or number */
        mac?: unknown;
        /** Manufacturer; text or number */
        manufacturer?: unknown;
        /** 56-bit mobile equipment id; text or number */
        meid?: unknown;
        /** Phone number; text or number */
        msisdn?: unknown;
        /** UUID of the node; text or number */
        node_uuid?: unknown;
        /** Value of the QR code; text or number */
        qrcode?: unknown;
        /** Serial number; text or number */
        serial?: unknown;
        /** UUID of the rule that raised it */
        ruleid?: unknown;
      } | undefined;
    };
    answer: {
      total: number;
      raised: number;
      cleared: number;
      acknowledged: number;
      /** Raised, not cleared and not acknowledged */
      unacknowledged: number;
    };
  };
  /** Upserts a fleet document, whole or not at all; it is streamed, and may be gzip */
  "POST /operator/v1/import": {
    answer: {
      counts: {
        [name: string]: number;
      };
    };
  };
  /** The fleet document of everything, or of one account; passwords and secrets are never in it */
  "GET /operator/v1/export": {
    query?: {
      accountName?: string | undefined;
    };
    answer: {
      [name: string]: Array<unknown>;
    };
  };
  /** Takes usage records: NDJSON, a JSON array or a batch of CloudEvents, each also as gzip, of any length. What it answers as accepted is durable; a record id that was taken before is a duplicate and changes nothing. A record has at most 2^50 bytes. The first 1000 rejected records are listed by line, or by position in an array; they keep no other from being taken */
  "POST /operator/v1/usage": {
    answer: {
      accepted: number;
      rejected: Array<{
        line: number;
        reason: string;
      }>;
      rejectedTotal: number;
      duplicates: number;
    };
  };
  /** Takes positions into the location cache: NDJSON, a JSON array or a batch of CloudEvents, each also as gzip, of any length. Of each device the newest stays. A position is given out to coarse requests unless it is marked as precise: then they get a coarse form of it */
  "POST /operator/v1/positions": {
    answer: {
      accepted: number;
      rejected: Array<{
        line: number;
        reason: string;
      }>;
      rejectedTotal: number;
    };
  };
  /** Takes readings of devices and compares them with their rules: NDJSON, a JSON array or a batch of CloudEvents, each also as gzip, of any length. What it answers as accepted is durable, and alerts that it raises or clears are. A reading that is older than the newest of its device is late and changes nothing */
  "POST /operator/v1/readings": {
    answer: {
      accepted: number;
      rejected: Array<{
        line: number;
        reason: string;
      }>;
      rejectedTotal: number;
      duplicates: number;
      late: number;
    };
  };
  /** Adds up the usage ledger of an account anew and compares it with the counters, a piece for each page: follow X-Next to the end, also where a page has no difference. It changes nothing */
  "GET /operator/v1/usage/differences": {
    query: {
      accountName: string;
      page?: string | undefined;
    };
    answer: {
      checked: number;
      differences: Array<{
        deviceId: string | null;
        planCode: string;
        day: string;
        countedBytes: string;
        ledgerBytes: string;
        service?: {
          serviceName: string;
          /** day or own (a month) of its own uses; billedDay, line of a statement or month of what is billed to it */
          counter: string;
          usedBy: string;
          counted: string;
          recorded: string;
        };
        bill?: {
          apn: string;
          ratingGroup: string;
          countryCode: string;
          delayed: boolean;
          countedChargedBytes: string;
          ledgerChargedBytes: string;
          countedAmount: string;
          ledgerAmount: string;
        };
      }>;
    };
  };
  /** What an account is billed for in a month, its own uses and those of the accounts it pays for */
  "GET /operator/v1/accounts/{accountName}/statements/{serviceName}/{month}": {
    path: {
      /** Billing account, leading zeros kept */
      accountName: string;
      serviceName: "Location" | "fota";
      /** yyyy-mm, a calendar month in the account's zone */
      month: string;
    };
    answer: {
      /** Billing account, leading zeros kept */
      accountName: string;
      /** Location or fota */
      serviceName: string;
      month: string;
      skuName: string;
      transactionsAllowed: string;
      /** The sum of the lines */
      totalTransactionCount: string;
      lines: Array<{
        /** Billing account, leading zeros kept */
        accountName: string;
        /** Billable uses */
        transactionsCount: string;
      }>;
    };
  };
  /** What the account subscribed to and has used of it this month, and whether more is to be accepted: for systems that serve a metered service beside this one */
  "GET /operator/v1/accounts/{accountName}/services": {
    path: {
      accountName: string;
    };
    answer: Array<{
      serviceName: "Location" | "fota";
      skuName: string;
      since: string;
      allowed: number;
      used: number;
      open: boolean;
    }>;
  };
  /** Accounts in order of their names */
  "GET /operator/v1/accounts": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      ecpdId?: string | undefined;
    };
    answer: Array<{
      accountName: string;
      ecpdId: string;
      organizationName: string | null;
      timeZone: string;
      billCycleDay: number;
      realTimeRating: boolean;
      aggregatedBilling: boolean;
      locationRegistered: boolean;
      contactEmail: string | null;
      createdAt: string;
    }>;
  };
  /** One account */
  "GET /operator/v1/accounts/{accountName}": {
    path: {
      accountName: string;
    };
    answer: {
      accountName: string;
      ecpdId: string;
      organizationName: string | null;
      timeZone: string;
      billCycleDay: number;
      realTimeRating: boolean;
      aggregatedBilling: boolean;
      locationRegistered: boolean;
      contactEmail: string | null;
      createdAt: string;
    };
  };
  /** Deletes an account with everything that belongs to it */
  "DELETE /operator/v1/accounts/{accountName}": {
    path: {
      accountName: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Devices of an account */
  "GET /operator/v1/accounts/{accountName}/devices": {
    path: {
      accountName: string;
    };
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      state?: string | undefined;
    };
    answer: Array<{
      accountName: string;
      kind: string;
      imei: string | null;
      iccid: string | null;
      imsi: string | null;
      msisdn: string | null;
      mdn: string | null;
      min: string | null;
      meid: string | null;
      esn: string | null;
      eid: string | null;
      mac: string | null;
      deveui: string | null;
      state: string;
      servicePlan: string | null;
      planSince: string | null;
      iot: boolean;
      labels: Array<{
        name: string;
        value: string;
      }>;
      record: {
        id: string;
        [name: string]: unknown;
      };
      activatedBySku: boolean;
      otaUpdated: boolean;
      nodeUuid: string | null;
      simulation: {
        [name: string]: unknown;
      };
    }>;
  };
  /** Erases all coordinates of the devices of an account */
  "DELETE /operator/v1/accounts/{accountName}/positions": {
    path: {
      accountName: string;
    };
    answer: {
      erased: number;
    };
  };
  /** One device, found by any of its identifiers */
  "GET /operator/v1/devices/{kind}/{id}": {
    path: {
      kind: string;
      id: string;
    };
    answer: {
      accountName: string;
      kind: string;
      imei: string | null;
      iccid: string | null;
      imsi: string | null;
      msisdn: string | null;
      mdn: string | null;
      min: string | null;
      meid: string | null;
      esn: string | null;
      eid: string | null;
      mac: string | null;
      deveui: string | null;
      state: string;
      servicePlan: string | null;
      planSince: string | null;
      iot: boolean;
      labels: Array<{
        name: string;
        value: string;
      }>;
      record: {
        id: string;
        [name: string]: unknown;
      };
      activatedBySku: boolean;
      otaUpdated: boolean;
      nodeUuid: string | null;
      simulation: {
        [name: string]: unknown;
      };
    };
  };
  /** Deletes a device with everything that belongs to it */
  "DELETE /operator/v1/devices/{kind}/{id}": {
    path: {
      kind: string;
      id: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** When a device could be located, how precisely, and on which consent */
  "GET /operator/v1/devices/{kind}/{id}/consents": {
    path: {
      kind: string;
      id: string;
    };
    query?: {
      /** Date and time; absent: 30 days before the end */
      from?: string | undefined;
      /** Date and time, not part of the range; absent or later than now: now */
      to?: string | undefined;
    };
    answer: {
      from: string;
      /** Where the answer ends */
      to: string;
      intervals: Array<{
        from: string;
        to: string;
        /** Whether coarse location was allowed */
        coarse: boolean;
        /** Whether precise location was allowed */
        precise: boolean;
        basis: "all-excluded" | "device-excluded" | "device-level" | "account-level" | "none";
        level: number | null;
        since: string | null;
        /** Who said so */
        actor: string | null;
      }>;
      /** Ask again from where this answer ends */
      hasMoreData: boolean;
    };
  };
  /** Gives a device another state; its owner hears of it as a change made outside of the interface */
  "POST /operator/v1/devices/{kind}/{id}/state": {
    path: {
      kind: string;
      id: string;
    };
    body: {
      state: "pre-active" | "active" | "suspend" | "deactive";
    };
    answer: {
      accountName: string;
      kind: string;
      imei: string | null;
      iccid: string | null;
      imsi: string | null;
      msisdn: string | null;
      mdn: string | null;
      min: string | null;
      meid: string | null;
      esn: string | null;
      eid: string | null;
      mac: string | null;
      deveui: string | null;
      state: string;
      servicePlan: string | null;
      planSince: string | null;
      iot: boolean;
      labels: Array<{
        name: string;
        value: string;
      }>;
      record: {
        id: string;
        [name: string]: unknown;
      };
      activatedBySku: boolean;
      otaUpdated: boolean;
      nodeUuid: string | null;
      simulation: {
        [name: string]: unknown;
      };
    };
  };
  /** Moves a line to another account, at once; to another customer only a deactive one */
  "POST /operator/v1/devices/{kind}/{id}/move": {
    path: {
      kind: string;
      id: string;
    };
    body: {
      accountName: string;
    };
    answer: {
      accountName: string;
      kind: string;
      imei: string | null;
      iccid: string | null;
      imsi: string | null;
      msisdn: string | null;
      mdn: string | null;
      min: string | null;
      meid: string | null;
      esn: string | null;
      eid: string | null;
      mac: string | null;
      deveui: string | null;
      state: string;
      servicePlan: string | null;
      planSince: string | null;
      iot: boolean;
      labels: Array<{
        name: string;
        value: string;
      }>;
      record: {
        id: string;
        [name: string]: unknown;
      };
      activatedBySku: boolean;
      otaUpdated: boolean;
      nodeUuid: string | null;
      simulation: {
        [name: string]: unknown;
      };
    };
  };
  /** Erases all coordinates of a device */
  "DELETE /operator/v1/devices/{kind}/{id}/positions": {
    path: {
      kind: string;
      id: string;
    };
    answer: {
      erased: number;
    };
  };
  /** Domain time, how far it is from real time, whether it stands still, and a move that is under way */
  "GET /operator/v1/clock": {
    answer: {
      now: string;
      offsetMs: number;
      frozen: boolean;
      movingTo?: string;
      ran?: number;
      remaining?: number;
    };
  };
  /** Moves domain time in the sandbox, through everything that falls due on the way, or freezes it; a reset, which empties the sandbox, needs the scope admin */
  "POST /operator/v1/clock": {
    body: {
      advance?: string | undefined;
      set?: string | undefined;
      freeze?: boolean | undefined;
      reset?: boolean | undefined;
    };
    answer: {
      now: string;
      ran: number;
      remaining?: number;
    };
  };
  /** Ends the lock of a user after failed logins */
  "POST /operator/v1/users/{username}/unlock": {
    path: {
      username: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Disables a user and ends its sessions */
  "POST /operator/v1/users/{username}/disable": {
    path: {
      username: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Enables a disabled user */
  "POST /operator/v1/users/{username}/enable": {
    path: {
      username: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Disables a client and revokes its token */
  "POST /operator/v1/clients/{clientId}/disable": {
    path: {
      clientId: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Enables a disabled client */
  "POST /operator/v1/clients/{clientId}/enable": {
    path: {
      clientId: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Web-services users with their accounts */
  "GET /operator/v1/users": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      accountName?: string | undefined;
    };
    answer: Array<{
      username: string;
      /** Home account first; at most 1,000 are shown */
      accounts: Array<string>;
      createdAt: string;
      disabledAt: string | null;
      lockedUntil: string | null;
      consoleLockedUntil: string | null;
    }>;
  };
  /** Gives a user a new password, shown once; its sessions end */
  "POST /operator/v1/users/{username}/password": {
    path: {
      username: string;
    };
    answer: {
      newPassword: string;
    };
  };
  /** Applications */
  "GET /operator/v1/clients": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
    };
    answer: Array<{
      clientId: string;
      createdAt: string;
      disabledAt: string | null;
    }>;
  };
  /** Gives a client a new secret, shown once; the old one stays valid for 24 hours unless atOnce */
  "POST /operator/v1/clients/{clientId}/rotate": {
    path: {
      clientId: string;
    };
    body: {
      atOnce?: boolean | undefined;
    };
    answer: {
      clientId: string;
      clientSecret: string;
    };
  };
  /** Operator keys by name; never the keys themselves */
  "GET /operator/v1/keys": {
    answer: Array<{
      name: string;
      scopes: Array<string>;
      createdAt: string;
      createdBy: string;
    }>;
  };
  /** A new named operator key, shown once */
  "POST /operator/v1/keys": {
    body: {
      name: string;
      scopes: ReadonlyArray<"read" | "fleet" | "feed" | "callbacks" | "users" | "clock" | "admin">;
    };
    answer: {
      name: string;
      key: string;
      scopes: Array<"read" | "fleet" | "feed" | "callbacks" | "users" | "clock" | "admin">;
    };
  };
  /** Ends an operator key */
  "DELETE /operator/v1/keys/{name}": {
    path: {
      name: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Who did what, newest first */
  "GET /operator/v1/audit": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      accountName?: string | undefined;
      actor?: string | undefined;
      action?: string | undefined;
    };
    answer: Array<{
      id: string;
      at: string;
      actorKind: string;
      actor: string;
      action: string;
      target: string | null;
      accountName: string | null;
      requestId: string;
      status: number | null;
      before: unknown;
      after: unknown;
    }>;
  };
  /** Work that waits, runs, is done or has failed, latest due time first */
  "GET /operator/v1/jobs": {
    query?: {
      kind?: string | undefined;
      state?: "waiting" | "running" | "done" | "failed" | undefined;
      ecpdId?: string | undefined;
      limit?: number | undefined;
    };
    answer: Array<{
      id: string;
      ecpdId: string | null;
      kind: string;
      key: string | null;
      state: string;
      dueAt: string;
      attempts: number;
      attemptsMax: number;
      lastError: string | null;
      requestId: string;
      createdAt: string;
      finishedAt: string | null;
    }>;
  };
  /** Runs a failed job again, with all its attempts */
  "POST /operator/v1/jobs/{jobId}/retry": {
    path: {
      jobId: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Whether trigger actions are paused */
  "GET /operator/v1/actions": {
    answer: {
      paused: boolean;
    };
  };
  /** Triggers go on alerting, but neither close a service nor suspend nor change plans */
  "POST /operator/v1/actions/pause": {
    answer: {
      paused: boolean;
    };
  };
  /** Triggers act again */
  "POST /operator/v1/actions/resume": {
    answer: {
      paused: boolean;
    };
  };
  /** Holds back what is to be delivered to one listener */
  "POST /operator/v1/callbacks/pause": {
    body: {
      accountName: string;
      serviceName: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota";
    };
    answer: {
      success: boolean;
    };
  };
  /** Delivers to the listener again */
  "POST /operator/v1/callbacks/resume": {
    body: {
      accountName: string;
      serviceName: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota";
    };
    answer: {
      success: boolean;
    };
  };
  /** Callbacks of all accounts, newest first, with every attempt */
  "GET /operator/v1/callbacks": {
    query?: {
      accountName?: string | undefined;
      requestId?: string | undefined;
      serviceName?: string | undefined;
      state?: "pending" | "delivered" | "failed" | undefined;
      limit?: number | undefined;
    };
    answer: Array<{
      /** Also the webhook-id of every attempt */
      id: string;
      requestId: string;
      accountName: string;
      serviceName: string;
      state: string;
      createdAt: string;
      nextAttemptAt: string | null;
      payload: unknown;
      attempts: Array<{
        at: string;
        series: number;
        attempt: number;
        status: number | null;
        latencyMs: number;
        error: string | null;
        body: string;
      }>;
    }>;
  };
  /** Sends failed callbacks again: those of a request, or of an account since a time */
  "POST /operator/v1/callbacks/resend": {
    body: {
      requestId?: string | undefined;
      /** Without requestId: all that failed of the account; then unknown members are refused */
      accountName?: string | undefined;
      serviceName?: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota" | undefined;
      since?: string | undefined;
      state?: "failed" | undefined;
    };
    answer: {
      resent: number;
    };
  };
  /** Sends any callback service through the same engine: credentials, signature, retries, archive */
  "POST /operator/v1/events": {
    body: {
      accountName: string;
      serviceName: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota";
      requestId?: string | undefined;
      payload: {
        [name: string]: unknown;
      };
    };
    answer: {
      id: string;
      requestId: string;
    };
  };
  /** Changes how the simulated network treats a device; null takes a setting away */
  "PATCH /operator/v1/devices/{kind}/{id}/simulation": {
    path: {
      kind: string;
      id: string;
    };
    body: {
      online?: boolean | null | undefined;
      position?: {
        lat: number;
        lon: number;
        radius?: number | undefined;
      } | null | undefined;
      error?: string | null | undefined;
      delayMs?: number | null | undefined;
    };
    answer: {
      online?: boolean;
      position?: {
        lat: number;
        lon: number;
        radius?: number;
      };
      error?: string | null;
      delayMs?: number;
    };
  };
  /** How the simulated network treats everybody */
  "GET /operator/v1/network/simulation": {
    answer: {
      condition: "normal" | "refusing" | "unreachable";
    };
  };
  /** Lets the whole simulated network answer, refuse, or be unreachable */
  "PATCH /operator/v1/network/simulation": {
    body: {
      condition: "normal" | "refusing" | "unreachable";
    };
    answer: {
      condition: "normal" | "refusing" | "unreachable";
    };
  };
  /** Whether the demo devices live by themselves, and how fast */
  "GET /operator/v1/simulator": {
    answer: {
      running: boolean;
      speed: number;
      seed: string;
      /** Domain time until which the devices have lived */
      lastTick?: string;
      lastError?: string;
    };
  };
  /** Starts or stops the simulator of the sandbox; a speed above 1 lets the sandbox's time run faster */
  "PATCH /operator/v1/simulator": {
    body: {
      running?: boolean | undefined;
      speed?: number | undefined;
    };
    answer: {
      running: boolean;
      speed: number;
      seed: string;
      /** Domain time until which the devices have lived */
      lastTick?: string;
      lastError?: string;
    };
  };
  /** Mail that was posted, newest first, with what became of each recipient */
  "GET /operator/v1/mail": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      accountName?: string | undefined;
      triggerId?: string | undefined;
    };
    answer: Array<{
      id: string;
      at: string;
      accountName: string;
      to: Array<string>;
      subject: string | null;
      text: string;
      triggerId: string | null;
      recipients: Array<{
        to: string;
        /** waiting, sent, captured or failed */
        state: string;
        attempts: number;
        triedAt: string | null;
        nextAttemptAt: string | null;
        reason: string | null;
      }>;
    }>;
  };
  /** SMS that were posted, newest first, with what became of each recipient */
  "GET /operator/v1/sms": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      accountName?: string | undefined;
      triggerId?: string | undefined;
    };
    answer: Array<{
      id: string;
      at: string;
      accountName: string;
      to: Array<string>;
      subject: string | null;
      text: string;
      triggerId: string | null;
      recipients: Array<{
        to: string;
        /** waiting, sent, captured or failed */
        state: string;
        attempts: number;
        triedAt: string | null;
        nextAttemptAt: string | null;
        reason: string | null;
      }>;
    }>;
  };
  /** When triggers fired, why, and what they did, newest first */
  "GET /operator/v1/firings": {
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      triggerId?: string | undefined;
      accountName?: string | undefined;
    };
    answer: Array<{
      firingId: string;
      triggerId: string;
      kind: "usage" | "pricePlan";
      accountName: string;
      /** What was counted */
      subject: string;
      level: number;
      levelKind: "percent" | "bytes" | "suspendBytes" | "billCycles" | "poolBelow";
      cycle: {
        from: string;
        to: string;
      };
      /** The counter before the record that crossed the threshold */
      before: number;
      /** The counter after it */
      after: number;
      /** In the unit of the counter */
      threshold: number;
      usageRecordId: string | null;
      /** No record reached the level: usage was moved to the plan by a change that begins in the past */
      cause?: "planChange";
      ruleVersion: number;
      firedAt: string;
      /** The cycle had closed already */
      late: boolean;
      actions: Array<{
        accountName: string;
        kind: "suspend" | "changePlan";
        /** What is done to the lines */
        params: {
          [name: string]: unknown;
        };
        state: "waiting" | "running" | "awaitingApproval" | "done" | "failed" | "skipped";
        deviceCount: number;
        succeeded: number;
        failed: number;
        /** Why nothing was done, or what failed first */
        reason?: string;
        requestIds: Array<string>;
      }>;
    }>;
  };
  /** Lets a firing do what it waits with because it touches more devices than it may by itself */
  "POST /operator/v1/firings/{firingId}/approve": {
    path: {
      firingId: string;
    };
    answer: {
      firingId: string;
      actions: Array<{
        accountName: string;
        kind: "suspend" | "changePlan";
        /** What is done to the lines */
        params: {
          [name: string]: unknown;
        };
        state: "waiting" | "running" | "awaitingApproval" | "done" | "failed" | "skipped";
        deviceCount: number;
        succeeded: number;
        failed: number;
        /** Why nothing was done, or what failed first */
        reason?: string;
        requestIds: Array<string>;
      }>;
    };
  };
  /** Drops what a firing waits with; the firing stays on record */
  "POST /operator/v1/firings/{firingId}/reject": {
    path: {
      firingId: string;
    };
    answer: {
      firingId: string;
      actions: Array<{
        accountName: string;
        kind: "suspend" | "changePlan";
        /** What is done to the lines */
        params: {
          [name: string]: unknown;
        };
        state: "waiting" | "running" | "awaitingApproval" | "done" | "failed" | "skipped";
        deviceCount: number;
        succeeded: number;
        failed: number;
        /** Why nothing was done, or what failed first */
        reason?: string;
        requestIds: Array<string>;
      }>;
    };
  };
  /** Starts a session of the console, for a web-services user or an operator; the cookie holds it */
  "POST /console/v1/sign-in": {
    body: {
      username?: string | undefined;
      password?: string | undefined;
      operatorKey?: string | undefined;
    };
    answer: {
      success: boolean;
    };
  };
  /** Ends the session */
  "POST /console/v1/sign-out": {
    answer: {
      success: boolean;
    };
  };
  /** Who is signed in */
  "GET /console/v1/session": {
    answer: {
      kind: "user" | "operator";
      name: string;
      /** What the operator key may do; empty for users */
      scopes: Array<string>;
      homeAccount: string | null;
      /** Whether the clock can be moved */
      sandbox: boolean;
      version: string;
      now: string;
    };
  };
  /** Server-sent events: which topics of the account have changed, and the time of the domain */
  "GET /console/v1/accounts/{accountName}/events": {
    path: {
      accountName: string;
    };
    answer: string;
  };
  /** Accounts that the viewer may look at, by name; with what each has used of its allowance in its open billing month, if asked for */
  "GET /console/v1/accounts": {
    query?: {
      search?: string | undefined;
      page?: string | undefined;
      usage?: boolean | undefined;
    };
    answer: {
      accounts: Array<{
        accountName: string;
        organizationName: string | null;
        usage?: {
          usedBytes: number;
          allowanceBytes: number | null;
          activeLines: number;
        };
      }>;
      /** Absent at the end of the list */
      next?: string;
    };
  };
  /** Usage of the open billing month by plan, of the last 60 days, and devices by state */
  "GET /console/v1/accounts/{accountName}/overview/usage": {
    path: {
      accountName: string;
    };
    answer: {
      cycle: {
        from: string;
        /** Not part of it */
        to: string;
      };
      usedBytes: number;
      allowanceBytes: number | null;
      plans: Array<{
        planCode: string;
        planName: string | null;
        lines: number;
        usedBytes: number;
        allowanceBytes: number | null;
      }>;
      days: Array<{
        day: string;
        bytes: number;
      }>;
      states: Array<{
        state: string;
        devices: number;
      }>;
    };
  };
  /** How often triggers fired by day, and the last times with their reason */
  "GET /console/v1/accounts/{accountName}/overview/firings": {
    path: {
      accountName: string;
    };
    answer: {
      days: Array<{
        day: string;
        firings: number;
      }>;
      latest: Array<{
        firingId: string;
        triggerId: string;
        kind: "usage" | "pricePlan";
        accountName: string;
        /** What was counted */
        subject: string;
        level: number;
        levelKind: "percent" | "bytes" | "suspendBytes" | "billCycles" | "poolBelow";
        cycle: {
          from: string;
          to: string;
        };
        /** The counter before the record that crossed the threshold */
        before: number;
        /** The counter after it */
        after: number;
        /** In the unit of the counter */
        threshold: number;
        usageRecordId: string | null;
        /** No record reached the level: usage was moved to the plan by a change that begins in the past */
        cause?: "planChange";
        ruleVersion: number;
        firedAt: string;
        /** The cycle had closed already */
        late: boolean;
      }>;
    };
  };
  /** Lines of the account, by the beginning of any identifier or of the name, or else by a part of the name; a page may be empty and have a next one */
  "GET /console/v1/accounts/{accountName}/devices": {
    path: {
      accountName: string;
    };
    query?: {
      search?: string | undefined;
      state?: "pre-active" | "active" | "suspend" | "deactive" | undefined;
      page?: string | undefined;
      limit?: number | undefined;
    };
    answer: {
      devices: Array<{
        deviceId: string;
        name: string | null;
        model: string | null;
        state: string;
        servicePlan: string | null;
        planSince: string | null;
        online: boolean;
        ids: Array<{
          kind: string;
          id: string;
        }>;
        usedBytes: number;
      }>;
      /** Absent at the end of the list */
      next?: string;
    };
  };
  /** One device: what it used, the plans it was on, when it was suspended and could be located, and what was asked of the carrier */
  "GET /console/v1/accounts/{accountName}/devices/{deviceId}": {
    path: {
      accountName: string;
      deviceId: string;
    };
    answer: {
      deviceId: string;
      name: string | null;
      model: string | null;
      state: string;
      servicePlan: string | null;
      planSince: string | null;
      online: boolean;
      ids: Array<{
        kind: string;
        id: string;
      }>;
      kind: string;
      description: string | null;
      manufacturer: string | null;
      software: string | null;
      iot: boolean;
      labels: Array<{
        name: string;
        value: string;
      }>;
      plans: Array<{
        planCode: string;
        since: string;
        cause: string;
        changedAt: string;
        changedBy: string;
        /** By a later change, which begins no later */
        overwritten: boolean;
      }>;
      /** Of the carrier, newest first; kept for 30 days after their end */
      requests: Array<{
        requestId: string;
        operation: string;
        state: "waiting" | "done" | "failed";
        reason: string | null;
        createdAt: string;
        createdBy: string;
      }>;
      suspensions: Array<{
        suspendedAt: string;
        resumesAt: string;
        resumedAt: string | null;
        withBilling: boolean;
        reason: string;
      }>;
      /** What it used on each of the last 90 days, where the account is */
      days: Array<{
        day: string;
        bytes: number;
      }>;
      consents: {
        from: string;
        /** Where the answer ends */
        to: string;
        intervals: Array<{
          from: string;
          to: string;
          /** Whether coarse location was allowed */
          coarse: boolean;
          /** Whether precise location was allowed */
          precise: boolean;
          basis: "all-excluded" | "device-excluded" | "device-level" | "account-level" | "none";
          level: number | null;
          since: string | null;
          /** Who said so */
          actor: string | null;
        }>;
        /** Ask again from where this answer ends */
        hasMoreData: boolean;
      };
    };
  };
  /** Where devices were last located, as precisely as their consent allows now; or only those whose position came to be known since a moment */
  "GET /console/v1/accounts/{accountName}/positions": {
    path: {
      accountName: string;
    };
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
      /** Seconds since 1970 */
      since?: number | undefined;
    };
    answer: {
      ids: Array<string>;
      names: Array<string>;
      latitudes: Array<number>;
      longitudes: Array<number>;
      /** Metres */
      radii: Array<number>;
      /** Seconds since 1970 */
      times: Array<number>;
      /** Seconds since 1970: news since then leave nothing out */
      newsSince: number;
      /** Absent at the end of the list */
      next?: string;
      /** There is too much news: read everything again */
      more: boolean;
    };
  };
  /** Location reports of the account and how far they are, newest first */
  "GET /console/v1/accounts/{accountName}/location-reports": {
    path: {
      accountName: string;
    };
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
    };
    answer: {
      reports: Array<{
        txid: string;
        accuracy: string;
        status: string;
        totalCount: number;
        /** Devices for which the network was not yet asked */
        waiting: number;
        createdAt: string;
        endedAt: string | null;
      }>;
      /** Absent at the end of the list */
      next?: string;
    };
  };
  /** Locates the devices that are named, or all that can be located, up to 10,000 */
  "POST /console/v1/accounts/{accountName}/location-reports": {
    path: {
      accountName: string;
    };
    body: {
      /** 0 coarse (default), 1 precise */
      accuracyMode?: string | number | undefined;
      /** 0 cached only, 1 cached or current (default), 2 current */
      cacheMode?: string | number | undefined;
      /** Seconds: how old a cached position may be */
      maxLocAge?: string | number | undefined;
      /** Absent: every device that can be located; then unknown members are refused */
      deviceList?: ReadonlyArray<{
        id: string;
        /** IMEI, MEID or ESN */
        kind: string;
        mdn?: string | undefined;
      }> | undefined;
    };
    answer: {
      txid: string;
      status: string;
    };
  };
  /** How far a report is, and 1,000 of its devices in the order of the request */
  "GET /console/v1/accounts/{accountName}/location-reports/{txid}": {
    path: {
      accountName: string;
      txid: string;
    };
    query?: {
      page?: number | undefined;
    };
    answer: {
      txid: string;
      accuracy: string;
      status: string;
      totalCount: number;
      /** Devices for which the network was not yet asked */
      waiting: number;
      located: number;
      failed: number;
      entries: Array<{
        msid: string;
        pd: {
          /** Latitude in decimal degrees */
          x?: string;
          /** Longitude in decimal degrees */
          y?: string;
          /** Metres */
          radius?: string;
          qos?: boolean;
          /** yyyyMMddHHmmss in UTC */
          time?: string;
          /** With cacheMode 1: "2" from the cache, "0" fresh */
          cacheMode?: string;
        };
        error: {
          type?: string;
          info?: string;
          /** yyyyMMddHHmmss in UTC */
          time?: string;
        };
        deviceId: string;
      }>;
      next?: number;
    };
  };
  /** What was billed in each of the last twelve billing months */
  "GET /console/v1/accounts/{accountName}/billing": {
    path: {
      accountName: string;
    };
    answer: {
      current: string;
      months: Array<{
        month: string;
        totalBytes: number;
        billedBytes: number;
        /** Rounded half up to cents */
        amount: number;
      }>;
    };
  };
  /** What was billed in a billing month, by APN or rating group and country */
  "GET /console/v1/accounts/{accountName}/billing/{month}": {
    path: {
      accountName: string;
      month: string;
    };
    answer: {
      month: string;
      from: string;
      /** The first day after it */
      to: string;
      by: "apn" | "rating_group";
      totalBytes: number;
      billedBytes: number;
      /** Rounded half up to cents */
      amount: number;
      groups: Array<{
        /** Empty: not known */
        name: string;
        totalBytes: number;
        billedBytes: number;
        /** Rounded half up to cents */
        amount: number;
        countries: Array<{
          /** Empty: not known */
          countryCode: string;
          totalBytes: number;
          billedBytes: number;
          /** Rounded half up to cents */
          amount: number;
        }>;
        /** The part of it that came after its billing month had closed */
        delayed: Array<{
          /** Empty: not known */
          countryCode: string;
          totalBytes: number;
          billedBytes: number;
          /** Rounded half up to cents */
          amount: number;
        }>;
      }>;
      /** There are groups or countries that are not listed */
      more: boolean;
    };
  };
  /** Accounts whose service is billed with this one, and the one that it is billed with itself */
  "GET /console/v1/accounts/{accountName}/managed-accounts/{serviceName}": {
    path: {
      accountName: string;
      serviceName: "Location" | "fota";
    };
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
    };
    answer: {
      /** With which account this one is billed, or may be */
      own: Array<{
        accountName: string;
        paccountName: string;
        skuName: string;
        state: "added" | "provisioned";
        txid: string;
      }>;
      /** Whether the viewer may act for it as a primary account */
      mayManage: boolean;
      /** Billed with this one, or about to be; by name */
      accounts: Array<{
        accountName: string;
        paccountName: string;
        skuName: string;
        state: "added" | "provisioned";
        txid: string;
      }>;
      added: number;
      provisioned: number;
      /** Absent at the end of the list */
      next?: string;
    };
  };
  /** Listeners of the account and how they are doing, without their credentials; what became of the last callbacks */
  "GET /console/v1/accounts/{accountName}/callbacks": {
    path: {
      accountName: string;
    };
    answer: {
      listeners: Array<{
        serviceName: string;
        url: string | null;
        paused: boolean;
        failingSince: string | null;
        lastFailure: string | null;
        /** Whether there was anything for it since it was first registered */
        hasMessages: boolean;
        /** Counted up to 10000 */
        waiting: number;
      }>;
      /** Made of the newest 500 callbacks of each listener */
      hours: Array<{
        hour: string;
        delivered: number;
        failed: number;
        pending: number;
        /** Of the median attempt that was acknowledged */
        latencyMs: number | null;
      }>;
      /** What can be listened for, and the messages of each */
      services: Array<{
        serviceName: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota";
        events: Array<{
          name: "planChange" | "activate" | "suspend" | "restore" | "deactivate" | "license" | "payAsYouGoAlert" | "accountGroupShareAlert" | "sensorRuleAlert" | "consentReport" | "consentFailure" | "deviceLocation" | "deviceLocationFailure" | "locationReportCompleted" | "usageTriggerFired" | "billingSummary" | "aggregateUsage" | "throttle" | "suspensionStatus" | "resumeNotice" | "provisioningChange" | "prlInformation" | "smsDelivery" | "deviceMessage" | "smsSent" | "niddUplink" | "niddDelivery" | "niddConfig" | "state" | "device" | "deviceProfile" | "diagnostics" | "intelligence" | "promoChange" | "networkEvent" | "fota";
          summary: string;
        }>;
      }>;
    };
  };
  /** Registers a listener or changes it; the answer has the secret that its messages are signed with, if it is new */
  "PUT /console/v1/accounts/{accountName}/callbacks/listeners/{serviceName}": {
    path: {
      accountName: string;
      serviceName: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota";
    };
    body: {
      url: string;
      username?: string | undefined;
      password?: string | undefined;
      rotateSecret?: boolean | undefined;
      /** Forgets username and password; else those that are absent are kept, at the same host */
      removeCredentials?: boolean | undefined;
    };
    answer: {
      secret?: string;
    };
  };
  /** Sends the sample of a message to the listener of its service, as any other message is sent */
  "POST /console/v1/accounts/{accountName}/callbacks/test": {
    path: {
      accountName: string;
    };
    body: {
      event: "planChange" | "activate" | "suspend" | "restore" | "deactivate" | "license" | "payAsYouGoAlert" | "accountGroupShareAlert" | "sensorRuleAlert" | "consentReport" | "consentFailure" | "deviceLocation" | "deviceLocationFailure" | "locationReportCompleted" | "usageTriggerFired" | "billingSummary" | "aggregateUsage" | "throttle" | "suspensionStatus" | "resumeNotice" | "provisioningChange" | "prlInformation" | "smsDelivery" | "deviceMessage" | "smsSent" | "niddUplink" | "niddDelivery" | "niddConfig" | "state" | "device" | "deviceProfile" | "diagnostics" | "intelligence" | "promoChange" | "networkEvent" | "fota";
    };
    answer: {
      id: string;
      requestId: string;
    };
  };
  /** Callbacks of the account, newest first */
  "GET /console/v1/accounts/{accountName}/callbacks/deliveries": {
    path: {
      accountName: string;
    };
    query?: {
      requestId?: string | undefined;
      serviceName?: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota" | undefined;
      state?: "pending" | "delivered" | "failed" | undefined;
      page?: string | undefined;
      limit?: number | undefined;
    };
    answer: {
      deliveries: Array<{
        /** Also the webhook-id of every attempt */
        id: string;
        requestId: string;
        serviceName: string;
        state: string;
        createdAt: string;
        nextAttemptAt: string | null;
        attempts: number;
        lastOutcome: string | null;
      }>;
      /** Absent at the end of the list */
      next?: string;
    };
  };
  /** One callback with its body, every attempt and what was answered */
  "GET /console/v1/accounts/{accountName}/callbacks/deliveries/{messageId}": {
    path: {
      accountName: string;
      messageId: string;
    };
    answer: {
      /** Also the webhook-id of every attempt */
      id: string;
      requestId: string;
      accountName: string;
      serviceName: string;
      state: string;
      createdAt: string;
      nextAttemptAt: string | null;
      payload: unknown;
      attempts: Array<{
        at: string;
        series: number;
        attempt: number;
        status: number | null;
        latencyMs: number;
        error: string | null;
        body: string;
      }>;
    };
  };
  /** Sends failed callbacks again: one, those of a request or of a service, or all */
  "POST /console/v1/accounts/{accountName}/callbacks/resend": {
    path: {
      accountName: string;
    };
    body: {
      requestId?: string | undefined;
      messageId?: string | undefined;
      serviceName?: "AlertService" | "CarrierService" | "DevicePRLInformation" | "DeviceProfileService" | "DeviceService" | "DeviceSuspensionStatus" | "DeviceUsage" | "DiagnosticsService" | "EnhancedConnectivityService" | "ExternalProvisioningChanges" | "IntelligenceService" | "NiddService" | "PromoChanges" | "ResumeTrackingNotification" | "SMSDeliveryConfirmation" | "StateService" | "SubscriptionNotificationService" | "NetworkEventService" | "Location" | "DeviceLocation" | "consentEnableReport" | "Fota" | undefined;
    };
    answer: {
      resent: number;
    };
  };
  /** Accounts, plans, rate plan groups, notification groups and services that a trigger can name */
  "GET /console/v1/accounts/{accountName}/triggers/options": {
    path: {
      accountName: string;
    };
    answer: {
      /** The profile of the account, of which a price plan trigger is */
      ecpdId: string;
      /** Of the profile, those that the viewer has */
      accounts: Array<{
        accountName: string;
        organizationName: string | null;
      }>;
      plans: Array<{
        code: string;
        name: string;
        kind: string;
      }>;
      /** Rate plan groups that the account shares in */
      groups: Array<{
        id: number;
        planCodes: Array<string>;
      }>;
      notificationGroups: Array<string>;
      services: Array<"Location" | "fota">;
    };
  };
  /** Triggers on the use of services; an account has at most a thousand, so they come at once */
  "GET /console/v1/accounts/{accountName}/triggers/usage": {
    path: {
      accountName: string;
    };
    answer: {
      triggers: Array<{
        triggerId: string;
        triggerName: string;
        /** Billing account, leading zeros kept */
        accountName: string;
        serviceName: "Location" | "fota";
        thresholdValue: string;
        allowExcess: boolean;
        sendSmsNotification: boolean;
        smsPhoneNumbers: string;
        sendEmailNotification: boolean;
        emailAddresses: string;
        /** yyyy-mm-dd */
        createDate: string;
        /** yyyy-mm-dd */
        updateDate: string;
      }>;
    };
  };
  /** Who changed a rule when, and how it was before and after, newest first */
  "GET /console/v1/accounts/{accountName}/rules/{ruleId}/versions": {
    path: {
      accountName: string;
      ruleId: string;
    };
    query?: {
      page?: string | undefined;
      limit?: number | undefined;
    };
    answer: {
      versions: Array<{
        id: string;
        at: string;
        actorKind: string;
        actor: string;
        change: "created" | "changed" | "imported";
        before: {
          name: string;
          description: string;
          disabled: boolean;
          syntax: string;
          /** As JSON: numbers of 64 bits keep their digits */
          chain: string;
        } | null;
        after: {
          name: string;
          description: string;
          disabled: boolean;
          syntax: string;
          /** As JSON: numbers of 64 bits keep their digits */
          chain: string;
        } | null;
      }>;
      /** Absent at the end of the list */
      next?: string;
    };
  };
}
