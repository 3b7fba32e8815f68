import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addManaged, type Service } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { TextArea, TextField } from '../../parts/fields.tsx';
import { ErrorText } from '../../parts/states.tsx';

export function AddDialog({ service, onClose }: { readonly service: Service; readonly onClose: () => void }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const adding = useMutation({
    mutationFn: (form: FormData) => {
      const accounts = String(form.get('accounts') ?? '').split(/[\s,;]+/);
      return addManaged(accountName, service, {
        skuName: String(form.get('skuName') ?? '').trim(),
        accounts: accounts.filter((name) => name !== ''),
      });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['managed'] }),
  });
  if (adding.data !== undefined)
    return (
      <Dialog title="Result for each account" onClose={onClose}>
        <div className="form">
          <div className="table-scroll" style={{ maxHeight: 360 }}>
            <table className="plain-table">
              <tbody>
                {adding.data.statusList.map((result) => (
                  <tr key={result.id}>
                    <td className="mono">{result.id}</td>
                    <td>
                      <Badge tone={result.status === 'Success' ? 'good' : 'bad'}>
                        {result.status === 'Success' ? 'Added' : 'Not added'}
                      </Badge>
                    </td>
                    <td>{result.status === 'Success' ? '' : result.reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div className="form-actions">
            <Button kind="main" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Add accounts" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          adding.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextField
          label="SKU"
          name="skuName"
          required
          maxLength={64}
          hint="The SKU of the billed service. Adding an account again changes its SKU."
        />
        <TextArea
          label="Accounts"
          name="accounts"
          required
          hint="One per line, up to 1,000. Each account must then activate the service itself."
        />
        {adding.isError && <ErrorText error={adding.error} />}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" busy={adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
