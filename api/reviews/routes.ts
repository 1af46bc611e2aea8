import type { Router } from '@koa/router';
import { z } from 'zod';

import type { Recorded } from '#domain/event-store.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { ratings, type ReviewEvent } from '#domain/review/events.ts';
import { LONGEST_REVIEW, review, reviewStream, type ReviewCommand, type ReviewId } from '#domain/review/review.ts';
import { viewReview, type ReviewView } from '#domain/review/view.ts';
import { isProductId, isUuid, shopperId, type ProductId } from '#domain/shared/ids.ts';
import { daysLater } from '#domain/shared/time.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { catalogue as catalogueModel } from '#projections/catalogue/projector.ts';
import { reviewAfter, type ReviewRow } from '#projections/catalogue/review-rows.ts';
import { reviewLists, reviewQueries } from '#projections/catalogue/review-queries.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';

import { askOnce, formatActorName, type StaffNames } from '../accounts/actor-name.ts';
import { commandMetadata, getUser } from '../accounts/sessions/session.ts';
import { Rejected } from '../command-handler/execute.ts';
import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import type { ShopContext, State } from '../http/context.ts';
import { linkToNext, NewestFirstInput } from '../http/cursor-page.ts';
import { readModel, requireReadModel, setPosition, waitForReadModel } from '../http/freshness.ts';
import { parse, prose, typed } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import type { Shop } from '../shop.ts';
import { findPurchase, type BuyerParts } from './buyers.ts';
import { createReviewId } from './review-ids.ts';

export type ReviewRoutesDeps = Pick<Shop, 'execute' | 'now' | 'store' | 'read'> &
  BuyerParts &
  StaffNames & {
    readonly catalogue: Pick<Listing, 'get' | 'offers' | 'waitFor'>;
    readonly progress: Progress;
  };

const WordsInput = z.object({
  rating: z.literal([...ratings], `A whole number from 1 to ${ratings.length}`),
  text: prose(LONGEST_REVIEW).default(''),
});
const ModerationInput = z
  .object({ hidden: z.boolean(), reason: prose(LONGEST_NOTE).default('') })
  .refine(({ hidden, reason }) => !hidden || reason !== '', { path: ['reason'], message: 'Please say why it is hidden' });
const DeskInput = z.object({
  list: z.enum(reviewLists, `One of ${reviewLists.join(', ')}`).optional(),
  q: typed.max(100, 'At most 100 characters').optional(),
});

/** A page of reviews on a perfume's page has at most so many. */
const LARGEST_PAGE = 50;
/** For so long a review is new to the desk. */
const DAYS_NEW = 7;

const productNotFound = (): Rejected => new Rejected({ code: 'product_not_found' });

const parseProductId = (ctx: ShopContext): ProductId => {
  const { id = '' } = ctx['params'];
  if (!isProductId(id)) throw productNotFound();
  return id;
};

const parseReviewId = (ctx: ShopContext, parameter: string): ReviewId => {
  const id: string = ctx['params'][parameter] ?? '';
  if (!isUuid(id)) throw new Rejected({ code: 'review_not_found' });
  return id as ReviewId;
};

const getOffered = (ctx: ShopContext, { catalogue }: ReviewRoutesDeps): ProductId => {
  const id = parseProductId(ctx);
  if (!catalogue.get(id)) throw productNotFound();
  return id;
};

const act = async (ctx: ShopContext, deps: ReviewRoutesDeps, id: ReviewId, command: ReviewCommand) => {
  const { state, position } = await deps.execute(review, reviewStream(id), command, await commandMetadata(ctx));
  if (position !== undefined) setPosition(ctx, 'review', position);
  if (state.status === 'none') throw new Error(`Review ${id} does not exist after a command`);
  return state;
};

const getAuthor = async (ctx: ShopContext) => {
  const { id, name } = await getUser(ctx);
  return { by: shopperId(id), name };
};

const write = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const author = await getAuthor(ctx);
  const words = parse(WordsInput, getBody(ctx));
  const product = getOffered(ctx, deps);
  const id = createReviewId(product, author.by);
  const isBuyer = (await findPurchase(deps, author.by, product)) !== undefined;
  const state = await act(ctx, deps, id, { type: 'WriteReview', product, ...author, ...words, isBuyer, now: deps.now() });
  ctx.status = 201;
  ctx.body = viewReview(id, state);
};

const revise = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const { by } = await getAuthor(ctx);
  const words = parse(WordsInput, getBody(ctx));
  const [product, id] = [parseProductId(ctx), parseReviewId(ctx, 'reviewId')];
  ctx.body = viewReview(id, await act(ctx, deps, id, { type: 'ReviseReview', product, by, ...words, now: deps.now() }));
};

const withdraw = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const { by } = await getAuthor(ctx);
  const [product, id] = [parseProductId(ctx), parseReviewId(ctx, 'reviewId')];
  await act(ctx, deps, id, { type: 'WithdrawReview', product, by, now: deps.now() });
  ctx.body = { message: 'Your review is withdrawn' };
};

/** Shows whether the user may write a review, when they bought the perfume, and the review that they wrote. */
const showOwn = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const { by } = await getAuthor(ctx);
  const product = getOffered(ctx, deps);
  const id = createReviewId(product, by);
  const { state } = await deps.load(review, reviewStream(id));
  const isThere = state.status === 'written';
  const isHidden = state.status !== 'none' && state.hidden !== null;
  const boughtAt = isThere || isHidden ? undefined : await findPurchase(deps, by, product);
  ctx.body = {
    mayWrite: boughtAt !== undefined,
    boughtAt: boughtAt ?? null,
    review: isThere ? { ...viewReview(id, state), isHidden } : null,
  };
};

const viewRow = ({ review_id, written_at: writtenAt, ...row }: ReviewRow): ReviewView => viewReview(review_id, { ...row, writtenAt });

/** Cuts a page off rows of which one more was asked for. */
const cut = <Row extends Pick<ReviewRow, 'written'>>(rows: readonly Row[], limit: number) => ({
  page: rows.slice(0, limit),
  nextCursor: rows.length > limit ? String(rows[limit - 1]?.written) : null,
});

const showReviews = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const product = getOffered(ctx, deps);
  const { limit: wanted, before } = parse(NewestFirstInput, ctx.query);
  const limit = Math.min(wanted, LARGEST_PAGE);
  const rows = await reviewQueries(deps.read.db).ofProduct(product, { limit: limit + 1, before });
  const { page, nextCursor } = cut(rows, limit);
  linkToNext(ctx, nextCursor);
  const rated = deps.catalogue.offers.get(product)?.product;
  ctx.body = {
    reviews: page.map(viewRow),
    average: rated?.average ?? rated?.ratingStar ?? 0,
    count: rated?.reviewsCount ?? 0,
    nextCursor,
  };
};

const viewForDesk = async (row: ReviewRow, newSince: string, { catalogue, ...names }: ReviewRoutesDeps) => {
  const { hidden_at: hiddenAt, hidden_by: id, reason, product_id: _id } = row;
  // A removed perfume keeps its name and picture there.
  const reviewed = catalogue.offers.get(_id)?.product;
  return {
    ...viewRow(row),
    product: { _id, name: reviewed?.name ?? '', picture: reviewed?.productImageUrl[0] ?? '' },
    isNew: hiddenAt === null && row.written_at >= newSince,
    hidden: hiddenAt !== null,
    reason,
    hiddenAt,
    hiddenBy: id === null ? null : await formatActorName({ kind: 'admin', id }, names),
  };
};

const getNewSince = ({ now }: Pick<Shop, 'now'>) => daysLater(now(), -DAYS_NEW);

const showToDesk = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const { list, q } = parse(DeskInput, ctx.query);
  const { limit, before } = parse(NewestFirstInput, ctx.query);
  const newSince = getNewSince(deps);
  const queries = reviewQueries(deps.read.db);
  const rows = await queries.forDesk({ list, text: q?.trim() || undefined, newSince, limit: limit + 1, before });
  const { page, nextCursor } = cut(rows, limit);
  linkToNext(ctx, nextCursor);
  const names = askOnce(deps);
  const reviews = await Promise.all(page.map((row) => viewForDesk(row, newSince, { ...deps, ...names })));
  ctx.body = { reviews, nextCursor, counts: await queries.counts(newSince) };
};

/** Answers with the review as the log has it. */
const moderate = async (ctx: ShopContext, deps: ReviewRoutesDeps): Promise<void> => {
  const { hidden, reason } = parse(ModerationInput, getBody(ctx));
  const id = parseReviewId(ctx, 'id');
  const hide = (why: string) => act(ctx, deps, id, { type: 'HideReview', reason: why, now: deps.now() });
  try {
    await (hidden ? hide(reason) : act(ctx, deps, id, { type: 'ShowReview', now: deps.now() }));
  } catch (error) {
    if (!(error instanceof SubjectErased)) throw error;
    // Of an erased author no words are kept, not even the reason.
    await hide('');
  }
  const { events } = await deps.store.read<ReviewEvent>(reviewStream(id));
  const row = events.reduce<ReviewRow | undefined>((before, event: Recorded<ReviewEvent>) => reviewAfter(event, before), undefined);
  if (!row) throw new Error(`Review ${id} has no events after a command`);
  ctx.body = await viewForDesk(row, getNewSince(deps), deps);
};

/**
 * Serves the reviews of a perfume to everybody, `POST`, `PUT` and `DELETE` to its buyers, `GET /product/:id/reviews/mine` to the signed-in
 * user, and `GET /admin/reviews` and `PUT /admin/reviews/:id` to staff. Lists are newest first.
 */
export const reviewRoutes = (deps: ReviewRoutesDeps): Router<State> => {
  const { catalogue, progress } = deps;
  const reviews = waitForReadModel(catalogue, ['review']);
  const orders = [
    requireReadModel(progress, myOrders.name),
    waitForReadModel(readModel(progress, myOrders.name), ['order']),
    waitForReadModel(catalogue, ['product']),
  ] as const;
  return createRouter()
    .get('/product/:id/reviews', reviews, waitForReadModel(catalogue, ['product']), (ctx) => showReviews(ctx, deps))
    .get('/product/:id/reviews/mine', ...orders, (ctx) => showOwn(ctx, deps))
    .post('/product/:id/reviews', ...orders, (ctx) => write(ctx, deps))
    .put('/product/:id/reviews/:reviewId', (ctx) => revise(ctx, deps))
    .delete('/product/:id/reviews/:reviewId', (ctx) => withdraw(ctx, deps))
    .get('/admin/reviews', requireReadModel(progress, catalogueModel.name), reviews, (ctx) => showToDesk(ctx, deps))
    .put('/admin/reviews/:id', (ctx) => moderate(ctx, deps));
};
