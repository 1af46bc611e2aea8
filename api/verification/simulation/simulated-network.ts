import type { Life, Scheduler } from './scheduler.ts';

/** Odds are in percent, except that `killed` and `stopped` are per thousand steps. */
export type Odds = {
  /** The request never arrives. */
  readonly lost: number;
  /** The request is executed, but the answer never arrives. */
  readonly unanswered: number;
  /** The request is executed after its caller has given up. */
  readonly late: number;
  readonly slow: number;
  /** A wake signal never arrives. */
  readonly unwoken: number;
  /** A process ends and loses its memory. */
  readonly killed: number;
  /** A process is stopped for a while. */
  readonly stopped: number;
};

export const NO_FAULTS: Odds = { lost: 0, unanswered: 0, late: 0, slow: 0, unwoken: 0, killed: 0, stopped: 0 };

/** Calls the store or the database. Other steps may come in between, and the connection may break before, during or after the call. */
export type NetworkCall = <Answer>(what: string, work: () => Answer | Promise<Answer>) => Promise<Answer>;

/** `late` holds running calls whose callers have given up, by description. They outlast the processes. */
export type Network = { readonly life: Life; readonly late: Map<string, () => Promise<void>> };

export type NetworkParts = { readonly scheduler: Scheduler; readonly odds: () => Odds; readonly network: Network };

/** A slow call is delayed by at most `SLOWEST` ms, and a late call by at most `LATEST` ms. */
const SLOWEST = 400;
const LATEST = 1_500;
/** A late call arrives right before its retry in this percentage of cases. */
const BEFORE_RETRY = 60;

const connectionLost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

export const createNetworkCall = (
  { scheduler, odds, network }: NetworkParts,
  life: Life,
  broken: () => Error = connectionLost,
): NetworkCall => {
  const { random } = scheduler;
  return async (what, work) => {
    const done = async () => work();
    await scheduler.turn(life, `asks to ${what}`, random.happens(odds().slow) ? random.upTo(SLOWEST) : 0);
    if (random.happens(odds().lost)) {
      await scheduler.turn(life, `cannot ${what}`);
      throw broken();
    }
    if (random.happens(odds().late)) {
      const deliver = async (): Promise<void> => {
        if (network.late.get(what) !== deliver) return;
        network.late.delete(what);
        scheduler.trace.push(`${scheduler.milliseconds()} arrives late: ${what}`);
        await done().catch(() => {});
      };
      network.late.set(what, deliver);
      scheduler.after(network.life, 'delivers what is late', random.upTo(LATEST), () => void deliver());
      await scheduler.turn(life, `has waited too long to ${what}`);
      throw broken();
    }
    // This is the worst moment for a late call. It is not awaited, because it may need a lock held by the transaction of this call.
    const late = network.late.get(what);
    if (late && random.happens(BEFORE_RETRY)) void late();
    const answer = await done().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const isUnanswered = random.happens(odds().unanswered);
    await scheduler.turn(life, isUnanswered ? `never hears whether it did ${what}` : `hears of ${what}`);
    if (isUnanswered) throw broken();
    if ('error' in answer) throw answer.error;
    return answer.value;
  };
};

/** Wraps a port so that its methods are called through the simulated network. */
export const throughNetwork = <Port extends object>(port: Port, name: string, viaNetwork: NetworkCall): Port =>
  new Proxy(port, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...asked: unknown[]): Promise<unknown> => viaNetwork(`${String(method)} ${name}`, () => Reflect.apply(value, target, asked));
    },
  });
