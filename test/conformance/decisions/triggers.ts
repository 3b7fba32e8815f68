import { row, type Section, testsIn } from '../row.ts';

const PRICE_PLAN = 'src/features/price-plan-triggers';
const batches = testsIn(`src/features/trigger-evaluation/test/evaluation.property.test.ts`);
const beyond = testsIn(`src/features/trigger-evaluation/test/beyond.test.ts`);
const closing = testsIn(`src/features/trigger-evaluation/test/closing.test.ts`);
const tell = testsIn(`src/features/trigger-notifications/test/notify-firings.test.ts`);
const levels = testsIn('src/features/trigger-notifications/test/levels-in-order.test.ts');
const remind = testsIn(`src/features/trigger-notifications/test/reminders.test.ts`);
const summaries = testsIn(`src/features/trigger-notifications/test/summaries.test.ts`);
const suspend = testsIn(`src/features/trigger-actions/test/suspend.test.ts`);
const move = testsIn(`src/features/trigger-actions/test/change-plan.test.ts`);
const backDate = testsIn(`src/features/trigger-actions/test/back-date.test.ts`);
const movedLevels = testsIn(`src/features/trigger-actions/test/back-date-levels.test.ts`);
const moving = testsIn('src/features/usage/test/moving.test.ts');
const firings = testsIn(`src/features/trigger-actions/test/approval.api.test.ts`);
const create = testsIn(`${PRICE_PLAN}/test/create.api.test.ts`);
const feed = testsIn('src/features/usage/test/feed.api.test.ts');
const plans = testsIn('src/features/usage/test/earlier-plans.test.ts');
const days = testsIn('src/features/usage/test/local-days.test.ts');
const usage = testsIn('src/features/usage-triggers/test/firing.test.ts');
const usageApi = testsIn('src/features/usage-triggers/test/triggers.api.test.ts');
const managed = testsIn('src/features/managed-accounts/test/activation.api.test.ts');
const chain = testsIn('test/flows/managed-accounts.flow.test.ts');
const adding = testsIn('src/features/managed-accounts/test/add.api.test.ts');
const prefix = testsIn('src/features/managed-accounts/test/prefix.api.test.ts');
const chains = testsIn('src/features/managed-accounts/test/chains.api.test.ts');
const races = testsIn('src/features/managed-accounts/test/races.api.test.ts');
const moves = testsIn('src/features/managed-accounts/test/moves.property.test.ts');
const moved = testsIn('src/features/usage-triggers/test/moved.test.ts');
const keepers = testsIn('src/features/usage-triggers/test/keepers.api.test.ts');

const services: Section = {
  number: 'D4',
  title: 'Usage triggers and managed accounts',
  rows: [
    row(
      'firing',
      'when use reaches the percentage, once a month for each',
      usage(
        'fires when use reaches its percentage, and says why',
        'fires once a month, and again in the next',
      ),
    ),
    row(
      'what counts',
      'uses of accounts that are billed with it, too; a record of fota counts as one and not as data',
      usage('counts the uses of the accounts that are billed with its own'),
      feed('counts a record of the fota service once against its allowance and not as data'),
    ),
    row(
      'spellings',
      'flags as text, the service in any letter case',
      usageApi('reads flags as text, and the service in any case'),
    ),
    row(
      'transaction ids',
      'lead from adding to activating to cancelling, in either spelling',
      chain(
        'an account is added, activated, cancelled, added again and activated again; each step needs the id of the one before',
      ),
      managed('reads the transaction id as TxId and as txid, in any letter case; null is absent'),
    ),
    row(
      'second activation',
      'answered with a status of failure',
      managed(
        '200: fails for an account that is activated, by the id of its addition and of its activation, and names the latter',
      ),
    ),
    row(
      'an account that moves',
      'a use belongs to who had it when it happened: reports, statements, triggers and limits agree, and no past period changes',
      moved(
        '200: a month does not change because the account moves to another primary, and says what the statement and the triggers say',
        '200: lists who has left and used something in the days, and not who has left before',
        '200: a managed account is told of all that it used, whoever paid',
        'is billed to whom the account was activated with when it happened',
        'closes the service for what its primary pays, and lets an account go that has left',
      ),
      moves(
        'is told to who had it then, in reports, statements and counters, however accounts move and however late it comes',
      ),
    ),
    row(
      'who keeps triggers',
      'a user of the account, unless its service is billed with a primary that is none of theirs; the order of accounts never matters',
      keepers(
        '200: are kept by a user who may use the primary too: <name>',
        '400: contact has no access: not kept by a user who may use the account and not the primary: <name>',
        '200: are kept by any user who may use the account: <name>',
        '200: lists those that the user may keep',
        '400: contact has no access, where all are of others; 200 and nothing where there is none',
      ),
    ),
    row(
      'type of Location',
      'a SKU of the interface with the configured prefix, or every entry fails',
      adding(
        'says of every account that the type is none, and writes nothing, where it is no SKU of the interface',
      ),
      prefix(
        'POST /subsc/v1/managedaccounts/actions/add 200: takes the SKUs that begin with the prefix of the installation, kept as it is written, and no others',
      ),
    ),
    row(
      'several primaries',
      'an addition and ids for each; the first activation wins and ends the others',
      adding('adds an account that another primary has added, each with an id of its own'),
      chains(
        '200: takes the id of the primary that it names; what another did since is none of its business',
        '200: the first that is activated ends the additions of others, for its service only',
        '400: what was ended stays so when the account is cancelled: everything starts with adding',
      ),
      races('an account is activated with two primaries: exactly one wins, and the other is told so'),
    ),
    row(
      'until it is activated',
      'it is added again, with a new id, or taken back by either account',
      adding(
        'adds an account again that is not activated, with a new id and another SKU; the id before leads nowhere',
      ),
      chains('200: takes back what was added, by its id, for <who>'),
    ),
    row(
      'chains',
      'only activations count, and are judged again when activating',
      chains(
        '200: fails for an account that others were activated with since it was added',
        '200: fails with a primary that was activated with another since it added the account',
      ),
    ),
  ],
};

const pricePlan: Section = {
  number: 'D5',
  title: 'Price plan triggers',
  rows: [
    row(
      'edge, not level',
      'once for each trigger, subject, level and cycle, whatever the order and repetition of records',
      batches(
        'fires what looking at one record after the other fires, whatever the order, repetitions, zones and edits',
      ),
      suspend('suspends no line twice though two workers and a crash come at it'),
    ),
    row(
      'edits',
      'do not fire by themselves; the next usage may',
      beyond('fires with its next usage, and names the allowance that the percentage is of'),
    ),
    row(
      'lt',
      'is judged when the cycle has closed',
      closing('fires when the cycle has closed, also without any usage, and not while it is open'),
    ),
    row(
      'several levels at once',
      'a callback for each, lowest first, one mail and SMS',
      tell('of several levels at once is a callback for each, lowest first, and one mail and SMS'),
      levels('several levels passed at once reach each listener lowest first, however slowly it answers'),
    ),
    row(
      'cycles',
      "in the account's zone, on bill-cycle days that months lack too",
      days(
        'are those of the database, through every change of the clocks',
        'of weeks and months are those that the database computes',
      ),
      closing(
        'in one advance over several months is closed each time, in order and once, on a bill-cycle day that months lack',
      ),
    ),
    row(
      'late usage',
      'counts where it occurred, is told as late, and nothing is done',
      feed('marks as delayed what occurred in a billing month that has closed, and counts it there'),
      tell('that came late says so and promises nothing'),
      suspend('tells of late usage and does nothing'),
    ),
    row(
      'repeated records',
      'are ignored',
      feed('changes nothing when a file is fed again, and counts an id once within one file'),
    ),
    row(
      'plan of usage',
      'the one held when it occurred; a moved line starts at zero',
      plans('counts for the plan that the device had when it occurred, however late it comes'),
      move('puts the line on the other plan, where it starts at zero'),
    ),
    row(
      'plans that begin in the past',
      'take all usage of the open cycle along, whenever it comes; closed cycles and past firings stay',
      backDate(
        'takes all usage of the cycle along, whenever it comes, and bills it by the new plan',
        'leaves charges that came with a record as they are',
        'overwrites other changes of the cycle, and the history of plans says so',
        'takes nothing back, and a level that has fired does not fire again in its cycle',
        'does not happen a fifth time in a month, and then moves nothing',
        'begins when the line came to the account, if that was later',
        'is of the cycle that begins where it is decided when one closes, and the closed one stays',
      ),
      moving('ends up on one plan however feeds and moves meet'),
    ),
    row(
      'firings by moved usage',
      'once, without a record, with the cause planChange; they move no line of the same chain',
      backDate('fires levels that the moved usage has passed once, without a record, and says why'),
      movedLevels(
        'count of days, weeks and months what was used since the change begins, and no more',
        'do not fire in a day that has closed, but with usage that still comes for it',
        'suspend a line that was moved, like others',
        'change no plan of a line that was moved in the same chain',
        'of a pool move other lines, and of those what follows moves none again',
      ),
    ),
    row(
      'plans that begin when they are changed',
      'start at zero; earlier records fire triggers of the old plan, which do nothing',
      movedLevels(
        'starts at zero, and what was used before may fire triggers of the old plan, which do nothing to it',
      ),
    ),
    row(
      'order of triggers',
      'a later one sees what an earlier one did',
      move('is seen by the triggers after it: a line that has left the plan is not suspended'),
    ),
    row(
      'failed actions',
      'never lose the alert',
      suspend('keeps the firing and says why when the line has no days left to be suspended'),
      move('keeps the firing and says why when the line was changed four times this month'),
    ),
    row(
      'suspension',
      'ends after its days or at the next bill cycle; an account has a level of its own',
      suspend(
        'suspends the line that went beyond, tells of it, and lets it return after its days',
        'suspends until the next bill cycle of the account, where the account is',
        'of an account suspends its lines on the plan at the level of its own, and those of all where it is combined',
      ),
    ),
    row(
      'plan changes',
      'count toward the four a month, pass over suspended lines',
      move(
        'keeps the firing and says why when the line was changed four times this month',
        'passes over lines that are suspended, whoever did it',
      ),
    ),
    row(
      'moves in a pool',
      'the largest overage first until the buffer is there; backdated to the cycle',
      move(
        'of a pool moves the lines with the largest overage until the buffer is there, in all accounts',
        'of lines in a group moves each as its own plan says, from the beginning of the cycle',
      ),
    ),
    row(
      'reminders',
      'so many at the interval, until the cycle or the trigger ends',
      remind(
        'are as many as it says, at its interval, by every way that it asks for',
        'end with the cycle',
        'end when the trigger is deleted',
      ),
    ),
    row(
      'summary of the day',
      'one message for a trigger and local day, none without a firing',
      summaries(
        'tells nothing before the local day has ended, and then all of it in one message of each kind',
        'tells each day of its own, and nothing on a day without a firing',
      ),
    ),
    row(
      'who is told',
      'every account of the trigger that listens',
      tell('of a pool is told to each of its accounts that listens, with the allowance of the pool'),
    ),
    row(
      'group share',
      'needs access to every account of the profile',
      create(
        '200: takes the kinds of group share from whoever may use all accounts of the profile',
        '401: <name>',
      ),
    ),
    row(
      'why it fired',
      'is kept and answered with each firing',
      firings('200: says why each fired, newest first, and goes on where it ended'),
    ),
  ],
};

export const triggers: readonly Section[] = [services, pricePlan];
