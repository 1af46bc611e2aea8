import { Superseded } from './failures.ts';
import { LEASE_MS } from './lease.ts';

/** The lease of a checkpoint in memory. `now` is in ms. */
export class MemoryLease {
  holder: string | null = null;
  #heldUntil = 0;

  /** Returns whether the lease was free, expired, or this holder's, and without `takesAtOnce` for the time of a lease. */
  claim(holder: string, now: number, takesAtOnce = true): boolean {
    const isOver = (at: number): boolean => this.#heldUntil < at || this.#heldUntil > now + 2 * LEASE_MS;
    const isUnheld = this.holder === null || this.holder === holder || isOver(now);
    const isFree = isUnheld && (takesAtOnce || isOver(now - LEASE_MS));
    if (isFree) [this.holder, this.#heldUntil] = [holder, now + LEASE_MS];
    return isFree;
  }

  /** Throws `Superseded` when another process holds it. */
  renew(holder: string | null, now: number): void {
    if (this.holder !== holder) throw new Superseded('Another process has taken over');
    this.#heldUntil = now + LEASE_MS;
  }

  release(holder: string): void {
    if (this.holder === holder) this.holder = null;
  }
}
