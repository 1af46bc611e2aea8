import type { Instant } from '#domain/shared/time.ts';

import { Cookies, parseOutcome, type Browsing, type Request, type ClientOutcome } from '../journeys/browsing.ts';
import type { ApiProcess } from './api-process.ts';
import type { SimulatedAnswer } from './in-process-requests.ts';
import type { Life } from './scheduler.ts';
import type { World } from './world.ts';

const TIMEOUT_MS = 8_000;

const PLACING = /^\/api\/order\/place-order\/(.+)$/;

/** Returns the remaining stock of each product in the answer: `Only 2 left`, `Out of stock`. */
const countLeft = ({ body }: SimulatedAnswer): Readonly<Record<string, number>> => {
  const { errors = {} } = body as { readonly errors?: Readonly<Record<string, string>> };
  return Object.fromEntries(Object.entries(errors).map(([product, text]) => [product, Number(/\d+/.exec(text)?.[0] ?? 0)]));
};

/** A browser that uses any of the processes, and gets no answer from a process that dies. */
export class Guest implements Browsing {
  readonly #cookies = new Cookies();
  /** The time when each key was first sent. */
  readonly #askedAt = new Map<string, Instant>();

  constructor(
    readonly world: World,
    readonly life: Life,
    readonly processes: () => readonly [ApiProcess, ...ApiProcess[]],
  ) {}

  get isKnown(): boolean {
    return this.#cookies.has('session');
  }

  newId = (): string => this.world.newId();
  pause = (milliseconds: number): Promise<void> => this.world.scheduler.turn(this.life, 'thinks', milliseconds);

  async ask(request: Request): Promise<ClientOutcome> {
    const { scheduler, odds } = this.world;
    const named = { ...request, id: request.id ?? this.newId() };
    const key = request.key ?? named.id;
    const askedAt = this.#askedAt.get(key) ?? scheduler.now();
    this.#askedAt.set(key, askedAt);
    await scheduler.turn(this.life, `sends ${named.id} ${request.method} ${request.path}`);
    const answer = await this.#sent(named);
    const isLost = answer === undefined || scheduler.random.happens(odds.unanswered);
    await scheduler.turn(this.life, isLost ? `hears nothing of ${named.id}` : `hears ${answer.status} of ${named.id}`);
    if (isLost) return 'unknown';
    this.#cookies.keep(answer.cookies);
    if (answer.status === 500) this.world.failures.push(`${named.id} ${named.method} ${named.path}`);
    const outcome = parseOutcome(answer.status, answer.body);
    if (outcome !== 'unknown' && outcome.code === 'not_enough_in_stock')
      this.world.refusals.push({ order: PLACING.exec(request.path)?.[1], left: countLeft(answer), askedAt, heardAt: scheduler.now() });
    return outcome;
  }

  #sent(request: Request & { readonly id: string }): Promise<SimulatedAnswer | undefined> {
    const process = this.world.scheduler.random.oneOf(this.processes());
    return new Promise((resolve, reject) => {
      const hear = (answer: SimulatedAnswer | undefined): void => {
        leaveAlone();
        wakeNever();
        resolve(answer);
      };
      const leaveAlone = process.life.atEnd(() => hear(undefined));
      const wakeNever = this.world.scheduler.after(this.life, `gives up ${request.id}`, TIMEOUT_MS, () => hear(undefined));
      process.answer(request, String(this.#cookies)).then(hear, reject);
    });
  }
}
