import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AuditEvent } from '../audit-api.ts';
import { stopAt } from './stops.ts';

/**
 * The place in an order's time, which stands in the address (`?at=`). What moves is drawn at once: the address follows in a transition,
 * and until then a thumb that is being dragged would spring back.
 */
export const useStop = (name: string, events: readonly AuditEvent[]) => {
  const [params, setParams] = useSearchParams();
  const inAddress = stopAt(events, params.get('at'));
  const [seen, setSeen] = useState(inAddress);
  const [stop, setStop] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    setStop(inAddress);
  }
  const goTo = (index: number): void => {
    setStop(index);
    setParams({ order: name, at: String(events[index]?.revision ?? 0) }, { replace: true, state: { stay: true } });
  };
  return { stop, goTo };
};
