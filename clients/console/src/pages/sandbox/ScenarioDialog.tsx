import { useState } from 'react';
import { playScenario } from '../../api/scenarios.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { TextArea, TextField } from '../../parts/fields.tsx';
import { useSave } from '../../parts/use-save.ts';

/** Plays a scenario from a file or from text. Errors name their line. */
export function ScenarioDialog({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState({ name: 'scenario.yaml', text: '' });
  const playing = useSave(
    async () => {
      await playScenario(file);
      return true;
    },
    { done: 'Scenario started', topics: ['scenarios'], onClose },
  );
  return (
    <FormDialog
      title="Play your own scenario"
      action="Play"
      saving={playing}
      isBlocked={file.text.trim() === ''}
      onSave={() => playing.mutate(undefined)}
      onClose={onClose}
    >
      <p>It deletes and recreates the accounts in its fleet, and moves the clock.</p>
      <TextField
        label="File"
        type="file"
        accept=".yaml,.yml,.json"
        data-first-focus
        onChange={async ({ target: { files } }) => {
          const chosen = files?.[0];
          if (chosen !== undefined) setFile({ name: chosen.name.slice(-100), text: await chosen.text() });
        }}
      />
      <TextArea
        label="Or text"
        hint="YAML or JSON, as described in docs/scenarios.md."
        value={file.text}
        spellCheck={false}
        onChange={({ target: { value } }) => setFile({ ...file, text: value })}
      />
    </FormDialog>
  );
}
