package io.persist.shard;

import io.persist.shard.Chaos.Crash;
import io.persist.shard.ShardTruth.Attempt;
import io.persist.shard.ShardTruth.Told;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.ShardTimeoutException;
import io.persist.shard.error.SinceException;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.AppendToken;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A process with a writer, a reader and a listener, which does one thing at a time, and begins anew when it stops. */
final class ShardActor {

    private final SplittableRandom random;
    private final Chaos chaos;
    private final ShardTruth truth;
    private final ShardConfig config;
    private final ManualClock clock;
    private final HoldTruth hold;
    private @Nullable Shard<String, String> shard;
    private @Nullable ShardWriter<String, String> writer;
    private @Nullable ShardReader<String, String> reader;
    private @Nullable Listening listening;
    private @Nullable Attempt pending;
    private AppendToken token = AppendToken.random();
    private boolean isBusy;

    ShardActor(
            SplittableRandom random,
            Chaos chaos,
            ShardTruth truth,
            ShardConfig config,
            ManualClock clock,
            HoldTruth hold) {
        this.random = random;
        this.chaos = chaos;
        this.truth = truth;
        this.config = config;
        this.clock = clock;
        this.hold = hold;
    }

    boolean isBusy() {
        return isBusy;
    }

    /** Does one thing; whatever may happen is taken as a process would. */
    void step() {
        isBusy = true;
        try {
            act();
        } catch (Crash stop) {
            restart();
        } catch (LeaseExpiredException slept) {
            checkThatALeaseIsOver();
            giveUp();
        } catch (SinceException wentOn) {
            if (chaos.unknown == 0) { // by a downgrade that nobody knows the outcome of
                checkThatALeaseIsOver();
            }
            giveUp();
        } catch (DamagedShardException missing) {
            checkThatALeaseIsOver();
            giveUp();
        } catch (LocationException | ShardTimeoutException later) {
            // the next step tries again
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            isBusy = false;
        }
    }

    /** An object may be missing, and a lease may be over, only for who was taken for gone. */
    private void checkThatALeaseIsOver() {
        if (clock.millis() == ShardModelContract.START_MS) {
            throw new AssertionError("a lease is over, or an object is missing, though no time has passed");
        }
    }

    private void restart() {
        shard = null;
        giveUp();
    }

    /** What was pending stays unknown. */
    private void giveUp() {
        noteHeard();
        writer = null;
        reader = null;
        listening = null;
        pending = null;
    }

    void noteHeard() {
        if (listening != null) {
            listening.tell();
        }
    }

    private void act() throws InterruptedException {
        if (shard == null) {
            shard = ShardClient.open(chaos.blob(), chaos.consensus(), config)
                    .shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
        }
        Shard<String, String> here = shard;
        int what = random.nextInt(100);
        if (what < 45) {
            append(here);
        } else if (what < 60) {
            snapshot(here);
        } else if (what < 78) {
            listen(here);
        } else if (what < 84) {
            downgrade(here);
        } else if (what < 87) {
            hold.move(here);
        } else if (what < 97) {
            here.maintain();
        } else if (what < 98) {
            throw new Crash();
        } else {
            clock.advanceMs(random.nextInt(2) * 700L);
        }
    }

    private void append(Shard<String, String> here) {
        ShardWriter<String, String> mine = writer;
        if (mine == null) {
            mine = here.writer();
            writer = mine;
        }
        Attempt attempt = pending;
        Frontier before = truth.acknowledged();
        if (attempt == null) {
            Frontier upper = random.nextInt(4) == 0 ? before : mine.upper();
            if (random.nextInt(4) != 0) {
                truth.told(upper, random.nextInt(4) == 0 ? Frontier.MINIMUM : upper);
            }
            long lower = upper.time() + (random.nextInt(10) == 0 ? 1 : 0);
            boolean isCut = random.nextInt(4) == 0;
            if (isCut) { // what other writers of the same data may have written already
                lower = Math.max(0, lower - random.nextInt(4));
            }
            attempt = truth.attempt(lower, lower + 1 + random.nextInt(5), isCut);
            token = AppendToken.random();
        }
        pending = attempt;
        try {
            if (attempt.isCut) {
                appendTheRest(mine, attempt);
                pending = null;
                return;
            }
            AppendResult result = random.nextInt(3) == 0
                    ? appendBatch(mine, attempt)
                    : mine.compareAndAppend(
                            token, attempt.updates(), Frontier.at(attempt.lower), Frontier.at(attempt.upper));
            attempt.told = result.isAppended() ? Told.HAPPENED : Told.DID_NOT;
            truth.told(result.isAppended() ? Frontier.at(attempt.upper) : result.upper(), Frontier.MINIMUM);
            if (!result.isAppended() && result.upper().isBelow(before)) {
                throw new AssertionError("a mismatch with " + result.upper() + " after " + before);
            }
            pending = null;
        } catch (IndeterminateException unknown) {
            // stays pending: the next append repeats it
        } catch (DeterminateException notDone) {
            // of this call; an earlier one may have happened
        }
    }

    /** It says that all is there, whoever has written it; or that there is a gap, and then nothing of it is. */
    private void appendTheRest(ShardWriter<String, String> mine, Attempt attempt) {
        AppendResult result;
        if (random.nextBoolean()) {
            result = mine.append(attempt.updates(), attempt.lower, attempt.upper);
        } else {
            Batch batch = build(mine, attempt);
            result = mine.appendBatch(batch);
            batch.delete(); // nothing happens if it is in the shard
        }
        if (result.isAppended()) {
            truth.told(result.upper(), Frontier.at(attempt.upper));
        } else {
            attempt.told = Told.DID_NOT;
            if (!result.upper().isBelow(Frontier.at(attempt.lower))) {
                throw new AssertionError("a gap from " + result.upper() + " to " + attempt.lower);
            }
        }
    }

    private static Batch build(ShardWriter<String, String> mine, Attempt attempt) {
        BatchBuilder<String, String> builder = mine.batch(Frontier.at(attempt.lower));
        attempt.updates().forEach(builder::add);
        return builder.finish(Frontier.at(attempt.upper));
    }

    private AppendResult appendBatch(ShardWriter<String, String> mine, Attempt attempt) {
        Batch batch = build(mine, attempt);
        AppendResult result = mine.compareAndAppendBatch(token, batch, Frontier.at(attempt.lower));
        if (random.nextBoolean()) {
            batch.delete(); // nothing happens if it is in the shard
        }
        return result;
    }

    private void snapshot(Shard<String, String> here) throws InterruptedException {
        ShardReader<String, String> mine = reader;
        if (mine == null) {
            mine = here.reader();
            reader = mine;
        }
        long from = mine.since().isEmpty() ? 0 : mine.since().time();
        Frontier upper = here.upper();
        long asOf = from + random.nextInt(3);
        if (upper.isBehind(from) && random.nextBoolean()) {
            asOf = upper.time() - 1;
        }
        truth.snapped(asOf, ShardRig.contents(mine, asOf));
    }

    private void listen(Shard<String, String> here) throws InterruptedException {
        if (listening == null) {
            if (reader == null) {
                reader = here.reader();
            }
            Frontier since = reader.since();
            if (since.isEmpty()) {
                throw new LeaseExpiredException("reader", null);
            }
            listening = random.nextBoolean()
                    ? Listening.behind(reader, since.time(), truth)
                    : Listening.withContents(reader, since.time(), truth);
        }
        Listening mine = listening;
        for (int i = 0; i < 3; i++) {
            mine.hear();
        }
    }

    private void downgrade(Shard<String, String> here) {
        ShardReader<String, String> mine = reader;
        if (mine == null) {
            return;
        }
        Frontier upper = here.upper();
        Frontier since = Frontier.at(Math.max(0, upper.time() - random.nextInt(20)));
        if (mine.downgradeSince(since).isEmpty()) {
            reader = null;
        }
    }
}
