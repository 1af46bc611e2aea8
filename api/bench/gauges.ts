/** What a shop tells of itself at `/metrics`, by the name of the figure with its labels: `pool_connections{state="busy"}`. */
export const gaugeOf = async (url: string, name: string): Promise<number> => {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const line = lines.find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`The shop does not tell ${name}`);
  return Number(line.slice(name.length + 1));
};
