import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Picture } from '../../ui/Picture.tsx';

const steps = [
  ['Before light', 'Petals are picked while the night still sits in them and weighed into the deg with well water.'],
  ['Clay and fire', 'The lid is sealed with clay and cotton. The fire is wood, fed by hand, and must never hurry.'],
  ['Through bamboo', 'Steam crosses to the bhapka, a receiver lying in a water tank, and gives its scent to sandalwood oil.'],
  [
    'Fifteen mornings',
    'The water is poured off, fresh petals go in, and the same sandalwood takes the next day’s rose on top of the last.',
  ],
  ['Camel leather', 'The finished oil rests until the last of its water leaves. Only then does it meet the perfumer.'],
] as const;

export const AboutPage = () => {
  usePageTitle('About Us');
  return (
    <>
      <Picture
        src="/pictures/story/distillation.webp"
        alt="Copper deg still on a clay furnace, its bamboo pipe leading to a bhapka receiver, steam rising"
        width={1600}
        height={1200}
        sizes="100vw"
        priority
        className="h-[20rem] w-full object-cover object-[50%_18%] md:h-[42rem]"
      />
      <Story />
      <Windows />
      <div className="page-x py-section">
        <Steps />
        <Voice />
        <div className="mt-14 flex justify-center">
          <ButtonLink to={pages.shop} size="lg">
            Shop the House
          </ButtonLink>
        </div>
      </div>
    </>
  );
};

const Story = () => (
  <div className="page-x">
    <div className="grid gap-x-16 gap-y-8 py-section lg:grid-cols-[1fr_1.35fr]">
      <h1 className="display text-display">About Us</h1>
      <div className="max-w-[40rem] space-y-6 text-[1.0625rem] leading-[1.8] text-clove">
        <p className="display text-h2 leading-snug text-ink">
          Ruhani means “of the spirit”. In Kannauj, where we work, the word ruh is also what a distiller calls the pure oil of a flower,
          with nothing added to hold it.
        </p>
        <p>
          The town lies on an old arm of the Ganga, and its trade is older than its walls. Boats once carried rose, vetiver and baked-earth
          attar down to courts that measured a host by what his guests smelled of the next day. The recipes were never written for
          strangers. They passed from pot to pot, in the order of adding, in the weight of a handful.
        </p>
        <p>
          We began with one copper deg, three generations of borrowed patience and a question: what would these materials do in the hands of
          a perfumer who had never been told what an attar should be? The answer filled thirty bottles.
        </p>
        <p>
          They stand in five families. The ouds are resin and smoke, and want a winter evening. The florals are picked in the dark and
          bottled the colour of morning. The fresh ones are rain on khus screens; the musks are skin and silk. And the attars are what the
          town has always made: oil and flower, no alcohol, a drop on the wrist.
        </p>
        <p>
          We still buy by the village. The rose is Hathras and Kannauj, the mogra comes up by night train, the vetiver is dug by hand along
          the river. Every batch is numbered, and when a harvest is poor there are fewer bottles that year. We have not found a better way
          to say no.
        </p>
      </div>
    </div>
  </div>
);

const Windows = () => (
  <section aria-label="The house in pictures" className="grid gap-2 md:grid-cols-[1.55fr_1fr] md:gap-4">
    <div className="overflow-hidden">
      <Picture
        src="/pictures/story/attar-tray.webp"
        alt="Five attar bottles on a rosewood tray in afternoon window light"
        width={1600}
        height={1200}
        sizes="(min-width: 48rem) max(61vw, 59rem), 100vw"
        className="depth aspect-[4/3] w-full object-cover md:aspect-auto md:h-[44rem]"
      />
    </div>
    <div className="overflow-hidden">
      <Picture
        src="/pictures/collections/attar.webp"
        alt="Crystal and phial attars on a brass tray with rose petals and saffron over emerald velvet"
        width={1000}
        height={1250}
        sizes="(min-width: 48rem) max(39vw, 36rem), 100vw"
        className="depth aspect-4/5 w-full object-cover md:aspect-auto md:h-[44rem]"
      />
    </div>
  </section>
);

const Steps = () => (
  <section aria-labelledby="made" className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_1.35fr]">
    <h2 id="made" className="display text-h1">
      How an attar is made
    </h2>
    <ol className="border-t border-gold">
      {steps.map(([title, text]) => (
        <li key={title} className="grid gap-x-8 gap-y-1 border-b border-sandal py-6 sm:grid-cols-[13rem_1fr]">
          <h3 className="display text-h3">{title}</h3>
          <p className="leading-[1.7] text-clove">{text}</p>
        </li>
      ))}
    </ol>
  </section>
);

const Voice = () => (
  <figure className="mx-auto max-w-[52rem] pt-section text-center">
    <blockquote className="display text-h1 italic">“You cannot smell a hurry, people think. You can. It smells of smoke.”</blockquote>
    <figcaption className="mt-6 text-clove">Master distiller, Kannauj</figcaption>
  </figure>
);
