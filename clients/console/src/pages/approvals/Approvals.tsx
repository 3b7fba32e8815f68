import { PageHead } from '../../parts/PageHead.tsx';
import { ApprovalTable } from './ApprovalTable.tsx';

export default function Approvals() {
  return (
    <>
      <PageHead title="Approvals" />
      <div className="card">
        <ApprovalTable />
      </div>
    </>
  );
}
