const hearers = new Set<() => void>();

/** A call was refused with 401. */
export const announceUnauthorised = (): void => hearers.forEach((hear) => hear());

export const onUnauthorised = (hear: () => void): (() => void) => {
  hearers.add(hear);
  return () => hearers.delete(hear);
};
