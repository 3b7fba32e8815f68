import type { Step } from '../case.ts';
import { activate, changePlan, deactivate, moveTo, remove, restore, suspend, tellFailure } from './lines.ts';
import type { LineState, State } from './state.ts';

/** Why a line is not activated in an account. A line that is in use elsewhere stays there. */
function whyNot({ state, account }: LineState, asking: number): string | undefined {
  if (state === 'deactive') return undefined;
  if (account !== asking) return 'other account';
  return state === 'active' ? 'already active' : 'wrong state';
}

function askPlan(state: State, line: LineState, plan: string): void {
  if (line.state === 'suspend') tellFailure(state, line, 'suspended');
  else if (line.state !== 'active') tellFailure(state, line, 'not active');
  else changePlan(state, line, plan);
}

/** Requests of the owner or the operator for a single line. A deleted line gets none. */
export function askOfLine(state: State, step: Extract<Step, { line: number }>): void {
  const line = state.lines[step.line];
  if (line === undefined || line.state === 'gone') return;
  switch (step.do) {
    case 'plan':
      askPlan(state, line, step.plan);
      return;
    case 'suspend':
      if (line.state === 'active') suspend(state, line, undefined);
      else tellFailure(state, line, line.state === 'suspend' ? 'already suspended' : 'wrong state');
      return;
    case 'restore':
      if (line.state === 'suspend') restore(state, line);
      else tellFailure(state, line, 'wrong state');
      return;
    case 'deactivate':
      if (line.state === 'deactive') tellFailure(state, line, 'wrong state');
      else deactivate(state, line);
      return;
    case 'activate': {
      const fault = whyNot(line, step.account);
      if (fault === undefined) activate(state, line, step.account, step.plan);
      else tellFailure(state, line, fault, step.account);
      return;
    }
    case 'move':
      moveTo(state, line, step.account);
      return;
    case 'remove':
      if (step.by === 'owner' && line.state === 'deactive') tellFailure(state, line, 'wrong state');
      else remove(state, line, step.by);
  }
}
