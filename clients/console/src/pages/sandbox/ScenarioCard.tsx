import { Card } from '../../parts/Card.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';

const files = import.meta.glob<string>('../../../../simulator/scenarios/*.yaml', {
  eager: true,
  query: '?raw',
  import: 'default',
});

const lineOf = (text: string, name: string): string =>
  new RegExp(`^${name}: '?(.*?)'?$`, 'm').exec(text)?.[1] ?? '';
const SCENARIOS = Object.values(files).map((text) => ({
  name: lineOf(text, 'name'),
  summary: lineOf(text, 'summary'),
}));

/** A scenario has a listener of its own, which a page cannot have: it is played from a shell, and looked at here. */
export function ScenarioCard() {
  return (
    <Card title="Scenarios" flush>
      <p className="soft small" style={{ padding: '12px 16px 0' }}>
        Each plays a story in an account of its own, which stays to be looked at. Run it from a shell beside
        the sandbox.
      </p>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Scenario</th>
            <th className="wide-cell">What happens</th>
            <th>Command</th>
          </tr>
        </thead>
        <tbody>
          {SCENARIOS.map(({ name, summary }) => (
            <tr key={name}>
              <td>
                <strong>{name}</strong>
              </td>
              <td className="wide-cell">{summary}</td>
              <td>
                <div className="row" style={{ flexWrap: 'nowrap' }}>
                  <code className="small wide-cell">npx linekeeper scenario run {name}</code>
                  <CopyButton
                    label={`Copy the command of ${name}`}
                    text={`npx linekeeper scenario run ${name}`}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
