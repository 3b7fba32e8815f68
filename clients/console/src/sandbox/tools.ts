/** The tools of the sandbox besides its clock, each with its own address. */
export const TOOLS = [
  { id: 'simulator', label: 'Simulator' },
  { id: 'scenarios', label: 'Scenarios' },
  { id: 'inbox', label: 'Inbox' },
  { id: 'requests', label: 'Requests' },
  { id: 'snapshots', label: 'Snapshots' },
  { id: 'failures', label: 'Failures' },
] as const;
export type Tool = (typeof TOOLS)[number]['id'];
