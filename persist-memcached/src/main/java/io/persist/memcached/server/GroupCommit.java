package io.persist.memcached.server;

import io.persist.memcached.cache.Items;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes safe what the connections of an event loop have changed. The loop reads all sockets that are ready, and runs
 * what they have sent; then it has one commit for all of them synced by another thread. It goes on meanwhile: what
 * comes in that time is the next commit. What the connections hold meanwhile is bounded for each; for all of them
 * together it is here: there may be many, and a device that is slow.
 *
 * <p><b>Threads:</b> the event loop.
 */
final class GroupCommit {

    private final Executor loop;
    private final Items items;
    private final long mostHeldBytes;
    private final Consumer<Throwable> broken;
    private final Set<Answers> line = new LinkedHashSet<>(); // those that go on when there is room, in their turn
    private List<Answers> waiting = new ArrayList<>(); // for the next commit
    private List<Answers> spare = new ArrayList<>(); // empty
    private long position = Items.NOTHING; // of what waits
    private long heldBytes;
    private boolean isUnderWay; // a commit, or the task of the loop that begins it

    /**
     * Commits to {@code items} what the connections of {@code loop} change, and holds answers of theirs meanwhile that
     * take {@code mostHeldBytes}. {@code broken} is told what keeps them from hearing how their commit has ended; by
     * any thread.
     */
    GroupCommit(Executor loop, Items items, long mostHeldBytes, Consumer<Throwable> broken) {
        this.loop = loop;
        this.items = items;
        this.mostHeldBytes = mostHeldBytes;
        this.broken = broken;
    }

    /** Whether what was changed at {@code changed} may be acknowledged. */
    boolean isSafe(long changed) {
        return items.isSafe(changed);
    }

    /** Has {@code answers} told when {@code changed} is safe, or that it never will be. */
    void await(long changed, Answers answers) {
        waiting.add(answers);
        position = Math.max(position, changed);
        if (!isUnderWay) {
            begin();
        }
    }

    /** Answers that take so many bytes more are held, or fewer if it is below 0. */
    void hold(long bytes) {
        heldBytes += bytes;
    }

    /** Whether another answer may be made, which may have to be held. */
    boolean hasRoom() {
        return heldBytes < mostHeldBytes;
    }

    /** If there is no room, has {@code answers} go on when there is: what is held has a commit that will end. */
    void awaitRoom(Answers answers) {
        if (!hasRoom()) {
            line.add(answers);
        }
    }

    /** Has {@code answers}, of which some were sent, go on in its turn: behind those that wait for room. */
    void goesOn(Answers answers) {
        line.remove(answers); // others have waited for longer
        line.add(answers);
    }

    /** It is closed. */
    void remove(Answers answers) {
        line.remove(answers);
    }

    private void begin() {
        isUnderWay = true;
        try {
            loop.execute(this::commit); // a loop runs its tasks after all sockets that are ready
        } catch (RuntimeException | Error e) {
            isUnderWay = false; // or no later commit would begin
            throw e;
        }
    }

    private void commit() {
        List<Answers> group = waiting;
        long needed = position;
        waiting = spare;
        position = Items.NOTHING;
        try {
            if (!items.isSafe(needed)) {
                var unused = items.whenSafe(needed)
                        .whenCompleteAsync((reached, failure) -> end(group, failure), loop)
                        .exceptionally(failure -> {
                            broken.accept(failure); // of the commit, which is known, or of the loop
                            return null;
                        });
                return;
            }
        } catch (RuntimeException | Error e) { // of which nobody would know, and no later commit would begin
            end(group, e);
            return;
        }
        end(group, null); // the commit of another loop had it
    }

    private void end(List<Answers> group, @Nullable Throwable failure) {
        try {
            for (Answers answers : group) {
                answers.committed(failure);
            }
            while (hasRoom() && !line.isEmpty()) { // each may take all of it
                Answers next = line.iterator().next();
                line.remove(next);
                next.goOn();
            }
        } finally {
            group.clear();
            spare = group;
            isUnderWay = false;
        }
        if (!waiting.isEmpty()) {
            try {
                begin();
            } catch (RuntimeException | Error e) {
                broken.accept(e); // nobody else may come for whom it would be tried again
                throw e;
            }
        }
    }
}
