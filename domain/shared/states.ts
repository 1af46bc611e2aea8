import { normalizeText } from './text.ts';

/** Where goods can be supplied, with its code in GST, by the name that tax documents give it: a state, a union territory, or abroad. */
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
  'Other Country': '96',
} as const;

export type PlaceOfSupply = keyof typeof CODES;
export const OTHER_COUNTRY = 'Other Country' as const;
export type IndianState = Exclude<PlaceOfSupply, typeof OTHER_COUNTRY>;

const isIndian = (place: string): place is IndianState => place !== OTHER_COUNTRY && Object.hasOwn(CODES, place);

/** The 36 states and union territories, from A to Z. */
export const states: readonly IndianState[] = Object.keys(CODES).filter(isIndian).toSorted();

/** Returns the two digits that GST gives the place; a GSTIN of a state begins with them. */
export const stateCode = (place: PlaceOfSupply): string => CODES[place];

/** The ISO codes of each state, now and before 2023, and its other names. Codes and names of states that were joined lead to the new one. */
const OTHER_NAMES: Readonly<Record<IndianState, string>> = {
  'Jammu and Kashmir': 'JK, JandK, Jammu, Kashmir, जम्मू और कश्मीर, جموں و کشمیر',
  'Himachal Pradesh': 'HP, Himachal, हिमाचल प्रदेश',
  Punjab: 'PB, पंजाब, ਪੰਜਾਬ',
  Chandigarh: 'CH, चंडीगढ़, चण्डीगढ़',
  Uttarakhand: 'UK, UT, UA, Uttaranchal, उत्तराखंड, उत्तराखण्ड, उत्तरांचल',
  Haryana: 'HR, हरियाणा',
  Delhi: 'DL, New Delhi, Dehli, Dilli, दिल्ली, नई दिल्ली',
  Rajasthan: 'RJ, राजस्थान',
  'Uttar Pradesh': 'UP, उत्तर प्रदेश',
  Bihar: 'BR, Behar, Bihaar, बिहार',
  Sikkim: 'SK, सिक्किम',
  'Arunachal Pradesh': 'AR, Arunachal, अरुणाचल प्रदेश',
  Nagaland: 'NL, नागालैंड, नागालैण्ड',
  Manipur: 'MN, मणिपुर',
  Mizoram: 'MZ, मिज़ोरम',
  Tripura: 'TR, त्रिपुरा, ত্রিপুরা',
  Meghalaya: 'ML, मेघालय',
  Assam: 'AS, Asam, Assom, Asom, असम, অসম',
  'West Bengal': 'WB, Bengal, पश्चिम बंगाल, পশ্চিমবঙ্গ',
  Jharkhand: 'JH, झारखंड, झारखण्ड',
  Odisha: 'OD, OR, Orissa, Orrisa, ओडिशा, उड़ीसा, ଓଡ଼ିଶା',
  Chhattisgarh: 'CG, CT, छत्तीसगढ़',
  'Madhya Pradesh': 'MP, मध्य प्रदेश',
  Gujarat: 'GJ, गुजरात, ગુજરાત',
  'Dadra and Nagar Haveli and Daman and Diu':
    '25, DH, DN, DD, Dadra and Nagar Haveli, Daman and Diu, Daman, Diu, दादरा और नगर हवेली, दमन और दीव, दादरा और नगर हवेली और दमन और दीव',
  Maharashtra: 'MH, महाराष्ट्र',
  Karnataka: 'KA, Mysore, कर्नाटक, ಕರ್ನಾಟಕ',
  Goa: 'GA, गोवा',
  Lakshadweep: 'LD, Laccadive Islands, लक्षद्वीप',
  Kerala: 'KL, केरल, കേരളം',
  'Tamil Nadu': 'TN, Madras, तमिलनाडु, तमिल नाडु, தமிழ்நாடு',
  Puducherry: 'PY, Pondicherry, पुदुचेरी, पुडुचेरी, पांडिचेरी, புதுச்சேரி',
  'Andaman and Nicobar Islands': 'AN, Andaman and Nicobar, Andaman, Nicobar, अंडमान और निकोबार द्वीपसमूह, अंडमान और निकोबार',
  Telangana: 'TS, TG, तेलंगाना, తెలంగాణ',
  'Andhra Pradesh': '28, AP, AD, Andhra, आंध्र प्रदेश, आन्ध्र प्रदेश, ఆంధ్రప్రదేశ్',
  Ladakh: 'LA, लद्दाख',
};

/** Returns the words of a text without accents and vowel signs: `J. & K. (State)` becomes `j`, `k` and `state`. */
const wordsOf = (text: string): readonly string[] =>
  normalizeText(text)
    .replace(/[.'’]/g, '')
    .split(/[^\p{L}\p{N}\p{RI}]+/u)
    .filter((word) => word !== '' && !JOINING.has(word));
const JOINING: ReadonlySet<string> = new Set(['and', 'और', 'व', 'एव', 'तथ', 'و']);

/** These words stand around a state's name: `State of Kerala`, `Delhi (NCT)`, `Union Territory of Ladakh`, `Goa, India`, `IN-KL`. */
const AROUND: ReadonlySet<string> = new Set('the state of nct national capital ut union territory india in'.split(' '));

/** Returns the letters by which a state is looked up, or the digits of a text without letters. */
const keyOf = (text: string): string => {
  const words = wordsOf(text);
  const names = words.filter((word) => !AROUND.has(word));
  const key = (names.length > 0 ? names : words.filter((word) => word !== 'in')).join('');
  return /^\d+$/.test(key) ? key.padStart(2, '0') : key.replace(/\p{N}/gu, '');
};

const byKey: ReadonlyMap<string, IndianState> = new Map(
  states.flatMap((state) =>
    [state, CODES[state], state.replaceAll(' ', ''), ...OTHER_NAMES[state].split(', ')].map((name) => [keyOf(name), state] as const),
  ),
);

/** Finds a state by its name or former name in any spelling of its letters, or by its code in GST or ISO 3166; undefined for others. */
export const stateNamed = (text: string): IndianState | undefined => byKey.get(keyOf(text));

/** Counts the letters to insert, leave out, replace or swap with their neighbour in order to make one text of the other. */
const distance = (one: string, other: string): number => {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const at = (values: readonly number[], index: number): number => values[index] ?? Infinity;
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? Infinity;
};

/** Short names have no misspellings, because too many other words are near: Bidar is not Bihar. */
const allowedMistakes = ({ length }: string): number => (length < 6 ? 0 : length < 9 ? 1 : 2);

/** Also reads misspelt names that are near one state only. The first letter must be right: East Bengal is not West Bengal. */
export const readState = (text: string): IndianState | undefined => {
  const key = keyOf(text);
  const exact = byKey.get(key);
  if (exact) return exact;
  const near = [...byKey].filter(([name]) => {
    const most = allowedMistakes(name);
    return Math.abs(name.length - key.length) <= most && distance(name, key) <= most;
  });
  const isOneState = new Set(near.map(([, state]) => state)).size === 1;
  return isOneState ? near.find(([name]) => name[0] === key[0])?.[1] : undefined;
};

const INDIA = 'India, Bharat, Bharath, Hindustan, भारत, हिन्दुस्तान, ভারত, ભારત, ਭਾਰਤ, ଭାରତ, ಭಾರತ, భారత, భారతదేశం, இந்தியா, ഇന്ത്യ, بھارت, 🇮🇳';
const indianWords: ReadonlySet<string> = new Set(wordsOf(INDIA));
const INDIAN_CODES: ReadonlySet<string> = new Set(['', 'in', 'ind']);

/** Returns whether a country is India: by a name, a code or a slip of the pen. An empty text is, because the shop is there. */
export const isIndia = (country: string): boolean => {
  const words = wordsOf(country);
  const key = words.join('');
  return words.some((word) => indianWords.has(word)) || INDIAN_CODES.has(key) || distance(key, 'india') <= 1;
};

/** Reads where an address is, for the tax. The country decides first; undefined for an address in India that names no state. */
export const readPlace = ({ state, country }: { readonly state: string; readonly country: string }): PlaceOfSupply | undefined =>
  isIndia(country) ? readState(state) : OTHER_COUNTRY;

/** Returns a place with its code for a tax document: `Kerala (state code 32)`. Other texts stay as they are. */
export const describePlace = (name: string): string => {
  const place = name === OTHER_COUNTRY ? name : stateNamed(name);
  return place ? `${place} (state code ${stateCode(place)})` : name;
};

/** Returns the state's name for a table. A text that names no state gets capitals and single spaces: `New York` for ` new  YORK`. */
export const stateLabel = (typed: string): string =>
  readState(typed) ??
  typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?:^| )(?!and |of )\p{L}/gu, (start) => start.toUpperCase());
