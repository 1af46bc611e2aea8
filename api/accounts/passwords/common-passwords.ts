import { dictionary } from '@zxcvbn-ts/language-common';

/** The passwords that are too short are not counted. */
const SHORTEST = 8;
const COUNTED = 10_000;

/** The list is ordered by how common each password is. */
const LEAKED = [...dictionary['passwords-common']].filter((password) => password.length >= SHORTEST).slice(0, COUNTED);

/** These are common too: variations, years, and words of India. */
const FURTHER =
  `password12345 password! password!1 password1! password123! password@123 passw0rd! p@ssw0rd1 p@ssw0rd! p@ssword p@ssword1 p@55w0rd
  pa$$word pa$$w0rd pass12345 pass123456 pass@123 pass@1234 passwort1 thepassword oldpassword password21 password22 password2020
  password2021 password2022 password2023 password2024 password2025 password2026 changeme1 changeme123 letmein12 letmein123 letmein!
  welcome1234 welcome@123 welcome! welcome2024 welcome2025 welcome2026 admin1234 admin12345 admin123456 admin@123 admin@1234 adminadmin
  admin2024 admin2025 root1234 toor1234 test12345 test123456 test@123 guest123 guest1234 default1 default123 secret1234 user1234
  user12345 username1 login123 superman12 superman123 supermann batman123 iloveyou12 iloveyou123 iloveu123 iloveme1 lovely12 mylove123
  loveme123 forever21 foreverlove princess12 princess123 sunshine12 sunshine123 flower123 butterfly1 angels12 jessica12 anthony12
  michael12 michael123 charlie12 ashley123 nicole12 hannah12 chelsea123 liverpool123 arsenal123 barcelona1 manutd12 messi123 football123
  baseball12 basketball1 soccer123 eagles12 ranger12 cookie123 summer123 summer2024 summer2025 summer2026 winter123 winter2024 winter2025
  spring2025 spring2026 autumn2025 freedom123 computer12 internet123 facebook1 facebook123 linkedin instagram youtube1 iphone123
  mustang12 yamaha12 blink-182 galaxy123 diamond123 contraseña teamo123 bonjour1 azerty12 soleil12 doudou12 loulou12 schatz12 passwort123
  hallo1234 qwertz123 qwertzuiop qwerty1! qwerty@123 qwertyqwerty qwe12345 1q2w3e4r! asdzxc123 aa12345678 aaa111222 abc@1234 abcd12345
  abcdef12 abc123123 123abc123 159357159 789456123a 11223300 2468101214 00000007 102030405 31121999 krishna1 krishna123 ganesha1
  jaishreeram sairam123 india1234 india@123 bharat123 mumbai123 delhi123 hyderabad bangalore chennai1 kolkata1 hindustan cricket123
  sachin10 sachin123 priyanka1 deepika1 rahul123 rohit123 rohit45 virat18 virat123 kohli18 amit1234 ankit123 abhishek abhishek1 himanshu
  siddharth aishwarya lakshmi1 lakshmi123 saibaba1 mahadev1 harharmahadev sanjay123 rajesh123 suresh123 ramesh123 pooja123 neha1234
  perfume1 perfume123 perfumes fragrance fragrance1`.split(/\s+/);

const COMMON: ReadonlySet<string> = new Set([...LEAKED, ...FURTHER]);

/** These rows have adjacent keys. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
];
const BOTH_WAYS = RUNS.flatMap((run) => [run, [...run].toReversed().join('')]);

/** Matches one to four characters that are repeated: `aaaaaaaa`, `12341234`. */
const REPETITION = /^(?=.{1,16}$)(.{1,4}?)\1+$/su;

const SHOP = /^(?:ruhani)+(?:perfumes?|attars?|shop|store)?$/;

export const isCommonPassword = (password: string): boolean => {
  const lower = password.toLowerCase();
  return COMMON.has(lower) || REPETITION.test(lower) || BOTH_WAYS.some((run) => run.includes(lower));
};

/** Returns whether the password is the shop's name with digits, signs or capitals: `Ruhani@2026`. */
export const isShopsName = (password: string): boolean => SHOP.test(password.toLowerCase().replaceAll(/[^a-z]/g, ''));
