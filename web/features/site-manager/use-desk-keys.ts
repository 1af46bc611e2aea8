import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { readChoice, writeChoice } from '../../lib/session-storage.ts';

const CHOICE = 'desk-keys';
let chosen: boolean | undefined;
const watching = new Set<() => void>();
const areKeysOn = (): boolean => (chosen ??= readChoice(CHOICE) !== 'off');
const subscribe = (onChange: () => void): (() => void) => {
  watching.add(onChange);
  return () => void watching.delete(onChange);
};

/** Single letters disturb who speaks to the computer, so that they can be switched off (WCAG 2.1.4). This browser keeps the choice. */
export const switchKeys = (isOn: boolean): void => {
  chosen = isOn;
  writeChoice(CHOICE, isOn ? 'on' : 'off');
  for (const notify of watching) notify();
};

export const useKeysSwitch = (): boolean => useSyncExternalStore(subscribe, areKeysOn);

/** A letter after `g` counts for so many ms. */
const SECOND_KEY_MS = 1500;

const TYPED_IN = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]';

/** Returns whether a key may act: nothing is being typed, no dialog is open, and it is no shortcut of the browser. */
const mayAct = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || defaultPrevented) &&
  !(target instanceof Element && target.closest(`${TYPED_IN}, [role=menu]`)) &&
  document.querySelector('dialog[open]') === null;

/** Calls `onKey` with `j`, `X` (with Shift) or `g o` (one after the other). It returns true if the key did something. */
export const useDeskKeys = (onKey: (key: string) => boolean): void => {
  const isOn = useKeysSwitch();
  const goAt = useRef<number>(undefined);
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (!mayAct(event)) return;
    const isSecond = goAt.current !== undefined && event.timeStamp - goAt.current < SECOND_KEY_MS;
    goAt.current = event.key === 'g' && !isSecond ? event.timeStamp : undefined;
    if (goAt.current === undefined && onKey(isSecond ? `g ${event.key}` : event.key)) event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent): void => act(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isOn]);
};
