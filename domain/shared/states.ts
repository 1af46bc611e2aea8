/** The states and union territories with their codes in GST, by the name that tax documents give them. */
const CODES = {
  'Jammu and Kashmir': '01',
  'Himachal Pradesh': '02',
  Punjab: '03',
  Chandigarh: '04',
  Uttarakhand: '05',
  Haryana: '06',
  Delhi: '07',
  Rajasthan: '08',
  'Uttar Pradesh': '09',
  Bihar: '10',
  Sikkim: '11',
  'Arunachal Pradesh': '12',
  Nagaland: '13',
  Manipur: '14',
  Mizoram: '15',
  Tripura: '16',
  Meghalaya: '17',
  Assam: '18',
  'West Bengal': '19',
  Jharkhand: '20',
  Odisha: '21',
  Chhattisgarh: '22',
  'Madhya Pradesh': '23',
  Gujarat: '24',
  'Dadra and Nagar Haveli and Daman and Diu': '26',
  Maharashtra: '27',
  Karnataka: '29',
  Goa: '30',
  Lakshadweep: '31',
  Kerala: '32',
  'Tamil Nadu': '33',
  Puducherry: '34',
  'Andaman and Nicobar Islands': '35',
  Telangana: '36',
  'Andhra Pradesh': '37',
  Ladakh: '38',
} as const;

export type IndianState = keyof typeof CODES;

// The cast is safe: `CODES` has exactly these keys.
export const states = Object.keys(CODES) as readonly IndianState[];

/** Returns the two digits that GST gives the state; a GSTIN of the state begins with them. */
export const stateCode = (state: IndianState): string => CODES[state];

const OTHER_NAMES: Readonly<Record<string, IndianState>> = {
  orissa: 'Odisha',
  pondicherry: 'Puducherry',
  uttaranchal: 'Uttarakhand',
  newdelhi: 'Delhi',
  nctofdelhi: 'Delhi',
  damananddiu: 'Dadra and Nagar Haveli and Daman and Diu',
  dadraandnagarhaveli: 'Dadra and Nagar Haveli and Daman and Diu',
  jk: 'Jammu and Kashmir',
  jandk: 'Jammu and Kashmir',
  andamanandnicobar: 'Andaman and Nicobar Islands',
};

const keepLetters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z]/g, '');

const byLetters: ReadonlyMap<string, IndianState> = new Map([
  ...Object.entries(OTHER_NAMES),
  ...states.map((state) => [keepLetters(state), state] as const),
]);

/** Finds a state by its present or former name, ignoring letter case, spaces and punctuation; undefined for anything else. */
export const stateNamed = (text: string): IndianState | undefined => byLetters.get(keepLetters(text));

/** Returns the state's name for a table. A text that names no state gets capitals and single spaces: `New York` for ` new  YORK`. */
export const stateLabel = (typed: string): string =>
  stateNamed(typed) ??
  typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?:^| )(?!and |of )\p{L}/gu, (start) => start.toUpperCase());
