package io.persist.shard;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ObjectPieces;
import io.persist.shard.location.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A blob and a consensus over which everything happens that can: operations fail before or after they were done, are
 * done later, and the process stops at any of them. Before each of them others may have their turn. All by one seed.
 */
final class Chaos {

    /** The process of the thread stops here. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final SplittableRandom random;
    private final Blob blob;
    private final Consensus consensus;
    private final double faults;
    private final boolean hasPieces;
    private final List<Runnable> late = new ArrayList<>();
    private Runnable others = () -> {};
    private boolean isHealed;
    int crashes;
    int unknown;

    Chaos(SplittableRandom random, Blob blob, Consensus consensus, double faults) {
        this.random = random;
        this.blob = blob;
        this.consensus = consensus;
        this.faults = faults;
        this.hasPieces = random.nextBoolean();
    }

    /** What may run before each operation. */
    void others(Runnable turn) {
        others = turn;
    }

    /** From now on all is well; what was late is done. */
    void heal() {
        isHealed = true;
        late.forEach(Runnable::run);
        late.clear();
    }

    private <R> R operation(Supplier<R> done, boolean isWrite) {
        if (isHealed) {
            return done.get();
        }
        others.run();
        if (!late.isEmpty() && random.nextInt(4) == 0) {
            late.remove(random.nextInt(late.size())).run();
        }
        if (random.nextDouble() >= faults) {
            return done.get();
        }
        switch (random.nextInt(isWrite ? 6 : 2)) {
            case 0 -> throw new DeterminateException("not done", null);
            case 1 -> throw crash();
            case 2 -> {
                done.get();
                throw crash();
            }
            case 3 -> {
                done.get();
                throw unknownOutcome();
            }
            case 4 -> {
                late.add(done::get);
                throw unknownOutcome();
            }
            default -> throw unknownOutcome();
        }
    }

    private Crash crash() {
        crashes++;
        return new Crash();
    }

    private IndeterminateException unknownOutcome() {
        unknown++;
        return new IndeterminateException("the answer is lost", null);
    }

    /** The blob as one process has it. */
    Blob blob() {
        return new Blob() {
            @Override
            public byte @Nullable [] get(String name) {
                byte[] found = operation(() -> orEmpty(blob.get(name)), false);
                return found.length == 0 ? null : found;
            }

            @Override
            public boolean hasPieces() {
                return hasPieces;
            }

            @Override
            public @Nullable ObjectPieces open(String name) {
                byte[] found = get(name);
                return found == null ? null : pieces(found);
            }

            @Override
            public void set(String name, ByteBuffer bytes) {
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(bytes.position(), copy);
                operation(
                        () -> {
                            blob.set(name, copy);
                            return true;
                        },
                        true);
            }

            @Override
            public long delete(String name) {
                return operation(() -> blob.delete(name), true);
            }

            @Override
            public void list(String prefix, ObjLongConsumer<String> visitor) {
                operation(
                        () -> {
                            blob.list(prefix, visitor);
                            return true;
                        },
                        false);
            }

            @Override
            public void close() {}
        };
    }

    private ObjectPieces pieces(byte[] bytes) {
        return new ObjectPieces() {
            @Override
            public long length() {
                return bytes.length;
            }

            @Override
            public int read(long from, byte[] target, int at, int length) {
                int some = (int) Math.max(0, Math.min(length, bytes.length - from));
                return operation(
                        () -> {
                            System.arraycopy(bytes, (int) from, target, at, some);
                            return some;
                        },
                        false);
            }

            @Override
            public void close() {}
        };
    }

    private static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }

    /** The consensus as one process has it. */
    Consensus consensus() {
        return new Consensus() {
            @Override
            public List<String> keys() {
                return consensus.keys();
            }

            @Override
            public @Nullable Version head(String key) {
                return operation(() -> Optional.ofNullable(consensus.head(key)), false)
                        .orElse(null);
            }

            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                return operation(() -> consensus.compareAndSet(key, expected, next), true);
            }

            @Override
            public List<Version> scan(String key, long from, int limit) {
                return operation(() -> consensus.scan(key, from, limit), false);
            }

            @Override
            public int truncate(String key, long number) {
                return operation(() -> consensus.truncate(key, number), true);
            }

            @Override
            public void close() {}
        };
    }
}
