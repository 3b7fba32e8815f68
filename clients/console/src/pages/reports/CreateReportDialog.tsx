import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createReport, type NewReport } from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { SelectField, TextArea } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';

/** 14 to 16 digits are an IMEI, without or with its check digit or with a version; 14 characters with letters a MEID, others an ESN. */
function kindOf(id: string): string {
  if (/^\d{14,16}$/.test(id)) return 'IMEI';
  return id.length === 14 ? 'MEID' : 'ESN';
}

function readForm(form: FormData): NewReport {
  const text = (name: string) => String(form.get(name) ?? '');
  const modes = { accuracyMode: text('accuracyMode'), cacheMode: text('cacheMode') };
  if (text('which') === 'all') return modes;
  const ids = text('devices')
    .split(/[\s,;]+/)
    .filter((id) => id !== '');
  return { ...modes, deviceList: ids.map((id) => ({ id, kind: kindOf(id) })) };
}

export function CreateReportDialog({ onClose }: { readonly onClose: () => void }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const { say } = useToasts();
  const [which, setWhich] = useState('all');
  const creating = useMutation({
    mutationFn: (form: FormData) => createReport(accountName, readForm(form)),
    onSuccess: async ({ txid }) => {
      say('The report is requested');
      await queries.invalidateQueries({ queryKey: ['requests'] });
      goTo(`/accounts/${accountName}/location-reports/${txid}`);
    },
  });
  return (
    <Dialog title="New location report" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          creating.mutate(new FormData(event.currentTarget));
        }}
      >
        <SelectField
          label="Devices"
          name="which"
          value={which}
          onChange={(event) => setWhich(event.target.value)}
          hint="10,000 at most. Each position that the network reports is billed."
          options={[
            { value: 'all', label: 'Every device of the account that can be located' },
            { value: 'some', label: 'Those that I name' },
          ]}
        />
        {which === 'some' && (
          <TextArea label="IMEI, MEID or ESN" name="devices" required hint="One in a line, or with commas." />
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
            { value: '1', label: 'Known ones, else current' },
            { value: '2', label: 'Current only' },
            { value: '0', label: 'Known ones only, which cost nothing' },
          ]}
        />
        {creating.isError && <ErrorText error={creating.error} />}
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
