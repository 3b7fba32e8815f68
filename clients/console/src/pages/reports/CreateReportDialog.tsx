import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createReports, type NewReport } from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { SelectField, TextArea } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';

const COST =
  'A report covers up to 10,000 devices; larger requests become several reports. Each position that the network reports is billed.';

/**
 * 14 to 16 digits are an IMEI (without check digit, with it, or with a version); 14 characters with letters
 * are a MEID; others are an ESN.
 */
function kindOf(id: string): string {
  if (/^\d{14,16}$/.test(id)) return 'IMEI';
  return id.length === 14 ? 'MEID' : 'ESN';
}

function readForm(form: FormData, deviceIds: readonly string[] | undefined): NewReport {
  const text = (name: string) => String(form.get(name) ?? '');
  const modes = { accuracyMode: text('accuracyMode'), cacheMode: text('cacheMode') };
  if (deviceIds !== undefined) return { ...modes, deviceIds: [...deviceIds] };
  if (text('which') === 'all') return modes;
  const ids = text('devices')
    .split(/[\s,;]+/)
    .filter((id) => id !== '');
  return { ...modes, deviceList: ids.map((id) => ({ id, kind: kindOf(id) })) };
}

interface CreateReportDialogProps {
  /** Devices selected elsewhere; if absent, the dialog asks for them. */
  readonly deviceIds?: readonly string[];
  readonly onClose: () => void;
}

export function CreateReportDialog({ deviceIds, onClose }: CreateReportDialogProps) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const { say } = useToasts();
  const [which, setWhich] = useState('all');
  const [made, setMade] = useState(0);
  const creating = useMutation({
    mutationFn: (form: FormData) => createReports(accountName, readForm(form, deviceIds), setMade),
    onSuccess: (txids) => {
      say(txids.length === 1 ? 'Report requested' : `${txids.length} reports requested`);
      goTo(`/accounts/${accountName}/location-reports/${txids.length === 1 ? txids[0] : ''}`);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['requests'] }),
  });
  return (
    <Dialog title="New location report" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          setMade(0);
          creating.mutate(new FormData(event.currentTarget));
        }}
      >
        {deviceIds !== undefined ? (
          <p>
            For the {formatNumber(deviceIds.length)} {deviceIds.length === 1 ? 'device' : 'devices'} that you
            selected. {COST}
          </p>
        ) : (
          <SelectField
            label="Devices"
            name="which"
            value={which}
            onChange={(event) => setWhich(event.target.value)}
            hint={COST}
            options={[
              { value: 'all', label: 'All devices of the account that can be located' },
              { value: 'some', label: 'Specific devices' },
            ]}
          />
        )}
        {deviceIds === undefined && which === 'some' && (
          <TextArea
            label="IMEI, MEID or ESN"
            name="devices"
            required
            hint="One per line, or separated by commas."
          />
        )}
        <SelectField
          label="Accuracy"
          name="accuracyMode"
          options={[
            { value: '0', label: 'Coarse' },
            { value: '1', label: 'Precise' },
          ]}
        />
        <SelectField
          label="Positions"
          name="cacheMode"
          options={[
            { value: '1', label: 'Known if available, else current' },
            { value: '2', label: 'Current only' },
            { value: '0', label: 'Known only (free)' },
          ]}
        />
        {creating.isPending && made > 0 && <p role="status">{formatNumber(made)} reports created so far…</p>}
        {creating.isError && <ErrorText error={creating.error} />}
        {creating.isError && made > 0 && (
          <p>{formatNumber(made)} reports were created before the error, and continue.</p>
        )}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={creating.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
