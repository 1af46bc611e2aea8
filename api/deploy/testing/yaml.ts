/** The values are those in the part of YAML that `docker-compose.yml` uses. */
export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };

type Line = { readonly indent: number; readonly text: string; readonly number: number };

const KEY = /^('[^']*'|[^\s'[\]{},:]+):(?:\s+|$)(.*)$/;

/** Parses a flow such as `[a, 'b, c', { d: e }]`, or a plain or quoted text. */
class Flow {
  #at = 0;
  constructor(
    readonly text: string,
    readonly anchors: ReadonlyMap<string, Yaml>,
  ) {}

  #skip(): void {
    while (this.text[this.#at] === ' ') this.#at += 1;
  }

  #takes(expected: string): boolean {
    this.#skip();
    if (this.text[this.#at] !== expected) return false;
    this.#at += 1;
    return true;
  }

  #word(end: RegExp): string {
    this.#skip();
    if (this.text[this.#at] === "'") {
      const close = this.text.indexOf("'", this.#at + 1);
      if (close === -1) throw new Error(`A quote is not closed: ${this.text}`);
      const word = this.text.slice(this.#at + 1, close);
      this.#at = close + 1;
      return word;
    }
    const rest = this.text.slice(this.#at);
    const length = rest.search(end);
    const word = length === -1 ? rest : rest.slice(0, length);
    this.#at += word.length;
    return word.trim();
  }

  #value(end: RegExp): Yaml {
    if (this.#takes('[')) {
      const items: Yaml[] = [];
      while (!this.#takes(']')) {
        items.push(this.#value(/[,\]]/));
        if (!this.#takes(',') && this.text[this.#at] !== ']') throw new Error(`Expected , or ] in ${this.text}`);
      }
      return items;
    }
    if (this.#takes('{')) {
      const entries: [string, Yaml][] = [];
      while (!this.#takes('}')) {
        const key = this.#word(/:/);
        if (!this.#takes(':')) throw new Error(`Expected : in ${this.text}`);
        entries.push([key, this.#value(/[,}]/)]);
        if (!this.#takes(',') && this.text[this.#at] !== '}') throw new Error(`Expected , or } in ${this.text}`);
      }
      return Object.fromEntries(entries);
    }
    return this.#word(end);
  }

  read(): Yaml {
    if (this.text.startsWith('*')) {
      const known = this.anchors.get(this.text.slice(1));
      if (known === undefined) throw new Error(`There is no anchor ${this.text}`);
      return known;
    }
    const value = this.#value(/$/);
    this.#skip();
    if (this.#at < this.text.length) throw new Error(`What is the end of ${this.text}?`);
    return value;
  }
}

class Reader {
  readonly #anchors = new Map<string, Yaml>();
  #at = 0;
  constructor(readonly lines: readonly Line[]) {}

  #value(text: string, { indent }: Line): Yaml {
    const [, name, rest = ''] = /^&(\S+)\s*(.*)$/.exec(text) ?? [undefined, undefined, text];
    const value = rest === '' ? this.#block(indent + 1) : new Flow(rest, this.#anchors).read();
    if (name !== undefined) this.#anchors.set(name, value);
    return value;
  }

  /** Parses everything that is indented at least this far: a list, a mapping, or an empty text. */
  #block(least: number): Yaml {
    const first = this.lines[this.#at];
    if (!first || first.indent < least) return '';
    return first.text.startsWith('- ') ? this.#list(first.indent) : this.#mapping(first.indent);
  }

  #list(indent: number): Yaml {
    const items: Yaml[] = [];
    for (let line = this.lines[this.#at]; line?.indent === indent && line.text.startsWith('- '); line = this.lines[this.#at]) {
      this.#at += 1;
      items.push(new Flow(line.text.slice(2), this.#anchors).read());
    }
    return items;
  }

  #mapping(indent: number): Yaml {
    const merged = new Map<string, Yaml>();
    const entries = new Map<string, Yaml>();
    for (let line = this.lines[this.#at]; line && line.indent >= indent; line = this.lines[this.#at]) {
      const [, written, text = ''] = KEY.exec(line.text) ?? [];
      if (written === undefined || line.indent !== indent) throw new Error(`Line ${line.number} is not understood: ${line.text}`);
      const key = written.replaceAll("'", '');
      if (entries.has(key)) throw new Error(`Line ${line.number}: ${key} stands there twice`);
      this.#at += 1;
      const value = this.#value(text, line);
      if (key === '<<') for (const [name, each] of Object.entries(value)) merged.set(name, each as Yaml);
      else entries.set(key, value);
    }
    // A mapping's own entries replace those merged into it.
    return Object.fromEntries([...merged, ...entries]);
  }

  read(): Yaml {
    const document = this.#block(0);
    const line = this.lines[this.#at];
    if (line) throw new Error(`Line ${line.number} is not understood: ${line.text}`);
    return document;
  }
}

/** Parses mappings, lists, flows, plain and single-quoted texts, anchors and merges. Throws on anything else. */
export const readYaml = (source: string): Yaml => {
  const lines = source.split('\n').flatMap((line, index): Line[] => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    if (line.includes('\t')) throw new Error(`Line ${index + 1} has a tab in it`);
    return [{ indent: line.length - line.trimStart().length, text: line.trim(), number: index + 1 }];
  });
  return new Reader(lines).read();
};
