import { useRef } from 'react';
import type { CheckoutFields, ShippingErrors } from '#domain/order/checkout.ts';
import { isIndia, readState, type IndianState } from '#domain/shared/states.ts';
import { isBlank } from '#domain/shared/text.ts';
import type { FieldErrors } from '../form/use-validated-form.ts';

/** The first two digits of a state's PINs, and of those that it shares with its neighbours. Army post offices (9) are anywhere. */
const PINS: Readonly<Record<IndianState, string>> = {
  'Andaman and Nicobar Islands': '74',
  'Andhra Pradesh': '50 51 52 53',
  'Arunachal Pradesh': '78 79',
  Assam: '78 79',
  Bihar: '80 81 82 83 84 85',
  Chandigarh: '14 16',
  Chhattisgarh: '49',
  'Dadra and Nagar Haveli and Daman and Diu': '36 39',
  Delhi: '11',
  Goa: '40',
  Gujarat: '36 37 38 39',
  Haryana: '12 13 16',
  'Himachal Pradesh': '17',
  'Jammu and Kashmir': '18 19',
  Jharkhand: '80 81 82 83 84 85',
  Karnataka: '56 57 58 59',
  Kerala: '67 68 69',
  Ladakh: '18 19',
  Lakshadweep: '68',
  'Madhya Pradesh': '45 46 47 48',
  Maharashtra: '40 41 42 43 44',
  Manipur: '79',
  Meghalaya: '78 79',
  Mizoram: '79',
  Nagaland: '78 79',
  Odisha: '75 76 77',
  Puducherry: '53 60 67',
  Punjab: '14 15 16',
  Rajasthan: '30 31 32 33 34',
  Sikkim: '73 74',
  'Tamil Nadu': '60 61 62 63 64',
  Telangana: '50 51 52 53',
  Tripura: '79',
  'Uttar Pradesh': '20 21 22 23 24 25 26 27 28',
  Uttarakhand: '24 25 26',
  'West Bengal': '70 71 72 73 74',
};

const PIN = /^[1-9]\d{5}$/;
const isPinOf = (state: IndianState, pin: string): boolean => pin.startsWith('9') || PINS[state].split(' ').includes(pin.slice(0, 2));

const findPinDoubt = (typed: string, state: IndianState | undefined): string | undefined => {
  const pin = typed.replace(/\s/g, '');
  if (!PIN.test(pin)) return 'Please enter the six digits of your PIN, such as 682031';
  return state === undefined || isPinOf(state, pin) ? undefined : `${pin} is no PIN of ${state}: please correct the PIN or the state`;
};

/** A number abroad has 7 to 15 digits, as E.164 has it; one in India has ten, without `+91` or the `0` of a long-distance call. */
const findPhoneDoubt = (typed: string, inIndia: boolean): string | undefined => {
  const number = typed.replace(/[\s().\-/\u200e\u200f]/g, '').replace(/^00/, '+');
  const isIndian = /^(?:\+?91|0)?[1-9]\d{9}$/.test(number);
  if (isIndian || (inIndia ? /^\+(?!91)\d{7,15}$/ : /^\+?\d{7,15}$/).test(number)) return undefined;
  return inIndia ? 'Please enter ten digits, or + and the country code first' : 'Please enter 7 to 15 digits, with the country code first';
};

type TypedAddress = CheckoutFields['shipping'];

/**
 * Returns one sentence for each field that the shopper should look at again before a parcel goes astray. Only the form asks: an address
 * that another client sends is taken as it is. Blank fields are left to the rules that require them, and what is right although it looks
 * wrong may be sent again.
 */
const findAddressDoubts = ({ country, state, postalCode, phone }: TypedAddress): ShippingErrors => {
  const inIndia = isIndia(country);
  const named = inIndia ? readState(state) : undefined;
  const doubts = [
    ['state', state, inIndia && named === undefined ? 'Please choose your state from the list' : undefined],
    ['postalCode', postalCode, inIndia ? findPinDoubt(postalCode, named) : undefined],
    ['phone', phone, findPhoneDoubt(phone, inIndia)],
  ] as const;
  const found = doubts.filter(([, typed, doubt]) => doubt !== undefined && !isBlank(typed));
  return Object.fromEntries(found.map(([field, , doubt]) => [field, `${doubt}. If it is right, send it again.`]));
};

/** What the shopper sends again as it was is doubted no more. */
export const useAddressDoubts = () => {
  const insisted = useRef<Partial<TypedAddress>>({});
  return {
    find: (address: TypedAddress): FieldErrors =>
      Object.fromEntries(
        Object.entries(findAddressDoubts(address)).filter(([name]) => Reflect.get(insisted.current, name) !== Reflect.get(address, name)),
      ),
    /** Call it before each submission, with the errors that the form shows. */
    insist: (address: TypedAddress, shown: FieldErrors): void => {
      for (const [name, doubt] of Object.entries(findAddressDoubts(address)))
        if (shown[name] === doubt) Reflect.set(insisted.current, name, Reflect.get(address, name));
    },
  };
};
