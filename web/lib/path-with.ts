/** Returns a path such as `/audit?order=RH-7K3MQ2XA`. */
export const pathWith = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;
