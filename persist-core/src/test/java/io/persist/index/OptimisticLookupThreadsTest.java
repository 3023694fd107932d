package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.IndexFullException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.memory.NodeChunks;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.index.read.OptimisticLookup;
import io.persist.index.read.OptimisticLookup.Answer;
import io.persist.support.Seeds;
import io.persist.support.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Threads that look keys up without the lock, while another one changes the index: puts and removes with all the splits
 * and merges that they bring, snapshots, so that nodes are copied, and little memory, so that frames get other nodes.
 * Each change is one of two keys that lie far apart, so what was seen of one says what must be seen of the other.
 */
class OptimisticLookupThreadsTest {

    private static final int THINGS = 3_000;
    private static final int CHANGES = 15_000;
    private static final int READERS = 2;
    private static final int AT_ONCE = 20;
    private static final int RUN = 400;

    private final KeyBuffer key = new KeyBuffer();
    private final Location replaced = new Location();
    private final Versions versions = new Versions(THINGS);
    private Images images = new Images();
    private KeyIndex index;
    private Random random;
    private int given;

    /** What the position of a version is, from which the length follows: so half of one and half of another shows. */
    private static long position(int thing, int half, long version) {
        return version << 20 | thing << 1 | half;
    }

    private static int length(long position) {
        return Long.hashCode(position * 0x9E37_79B9_7F4A_7C15L) & Integer.MAX_VALUE;
    }

    private static KeyBuffer key(KeyBuffer to, int thing, int half) {
        byte[] bytes = KeyShape.TASK_RUN.key(thing + half * 2 * THINGS);
        return to.set(bytes, 0, bytes.length);
    }

    private void change(int thing, long version) {
        for (int half = 0; half < 2; half++) {
            long position = position(thing, half, version);
            if (Versions.isRemoval(version)) {
                index.remove(key(key, thing, half), replaced);
            } else {
                index.put(key(key, thing, half), position, length(position), replaced);
            }
        }
    }

    private void transaction(int first, int count) {
        for (int thing = first; thing < first + count; thing++) {
            change(thing, count == RUN ? versions.beginRemoval(thing) : versions.begin(thing));
        }
        index.showChanges();
        for (int thing = first; thing < first + count; thing++) {
            versions.end(thing);
        }
    }

    private void write() {
        IndexSnapshot open = index.snapshot();
        for (int i = 0; i < CHANGES; ) {
            int count = random.nextInt(2_000) == 0 ? RUN : random.nextInt(10) == 0 ? AT_ONCE : 1;
            transaction(random.nextInt(THINGS - count + 1), count);
            i += count;
            if (random.nextInt(300) == 0) {
                open.close();
                open = index.snapshot();
            }
            if (random.nextInt(200) == 0) {
                takeImage();
            }
            if (random.nextInt(100) == 0) {
                given += index.giveChunkBack() ? 1 : 0;
                useLastChunk(); // which may be the same one, for other nodes
            }
            index.get(key(key, random.nextInt(THINGS), 0), replaced); // may evict
        }
        open.close();
    }

    /** The next nodes are in the last chunk. */
    private void useLastChunk() {
        IndexMemory memory = index.memory();
        List<Node> free = new ArrayList<>();
        try {
            memory.ensure(NodeChunks.CHUNK_LENGTH / Node.LENGTH, 1);
        } catch (IndexFullException e) {
            // There is no other one.
        }
        while (memory.freeNodes() > 0) {
            free.add(memory.wrap(new Node(), memory.take(Node.NONE)));
        }
        for (Node node : free) {
            memory.nodes().remove(node.id());
            memory.giveBack(node);
        }
        index.showChanges();
    }

    private void takeImage() {
        Images next = new Images(images);
        try (IndexImage image = index.image(images.state == null ? IndexImage.Scope.ALL : IndexImage.Scope.CHANGED)) {
            next.take(image);
        }
        images = next;
        index.source(new Images(next)).close();
    }

    /** Reads until the writer is done; returns how many lookups were true. */
    private long read(Future<?> writer, Random own) {
        OptimisticLookup lookup = index.optimisticLookup();
        Versions.Reader reader = versions.new Reader();
        KeyBuffer wanted = new KeyBuffer();
        Location found = new Location();
        long trueOnes = 0;
        while (!writer.isDone()) {
            int thing = own.nextInt(THINGS);
            int first = own.nextInt(2);
            for (int i = 0; i < 2; i++) {
                int half = (first + i) % 2;
                long floor = reader.floor(thing);
                Answer answer = lookup.look(key(wanted, thing, half), found);
                if (answer.isKnown() && lookup.isTrue()) {
                    trueOnes++;
                    reader.sees(thing, floor, answer == Answer.ABSENT ? -1 : version(thing, half, found));
                }
            }
        }
        return trueOnes;
    }

    private static long version(int thing, int half, Location found) {
        long version = found.position() >>> 20;
        if (found.position() != position(thing, half, version) || found.length() != length(found.position())) {
            throw new AssertionError("a place that no key has: thing " + thing + ", " + found);
        }
        return version;
    }

    @Test
    void shouldSeeEachChangeAsAWholeAndNoneTwice() {
        Seeds.run(1, seed -> {
            random = new Random(seed);
            images = new Images();
            index = new KeyIndex((300L + random.nextInt(600)) * Node.LENGTH); // two to four chunks
            for (int thing = 0; thing < THINGS; thing++) {
                transaction(thing, 1);
            }
            takeImage();
            ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
            try {
                Future<?> writer = threads.submit(this::write);
                List<Future<Long>> readers = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    Random own = new Random(random.nextLong());
                    readers.add(threads.submit(() -> read(writer, own)));
                }
                writer.get();
                long trueOnes = 0;
                for (Future<Long> reader : readers) {
                    trueOnes += reader.get();
                }
                System.out.println("lookups that were true: " + trueOnes + ", chunks given back: " + given);
            } finally {
                threads.shutdown();
            }
            assertThat(given).isPositive();
            TreeChecker.check(index);
            assertThat(index.openSnapshots()).isZero();
            index.close();
        });
    }
}
