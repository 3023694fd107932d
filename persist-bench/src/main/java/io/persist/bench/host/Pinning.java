package io.persist.bench.host;

import io.persist.command.Text;
import io.persist.log.thread.LogThread;
import java.util.concurrent.ThreadFactory;
import net.openhft.affinity.Affinity;
import org.jspecify.annotations.Nullable;

/**
 * Binds the thread that writes the log to CPUs, if any were asked for. Without them the library that does it is not
 * even loaded, because on JDK 24 and later the JDK warns about its native part.
 */
public final class Pinning {

    private final @Nullable CpuSet cpus;

    /** Why a thread could not be bound, although it was possible before. */
    private volatile @Nullable PinningException failure;

    private Pinning(@Nullable CpuSet cpus) {
        this.cpus = cpus;
    }

    public static Pinning none() {
        return new Pinning(null);
    }

    public static Pinning to(CpuSet cpus) {
        return new Pinning(cpus);
    }

    public boolean isWanted() {
        return cpus != null;
    }

    /** Finds out whether it is allowed, on a thread that is there for nothing else. */
    public void tryOut() throws PinningException {
        if (cpus == null) {
            return;
        }
        Thread trial = new Thread(this::pinOrNote, "pinning-trial");
        trial.start();
        LogThread.join(trial);
        check();
    }

    /** Throws if a thread could not be bound. */
    public void check() throws PinningException {
        PinningException first = failure;
        if (first != null) {
            throw first;
        }
    }

    /** Makes threads that are bound. One that cannot be does its work all the same, and {@link #check} tells. */
    public ThreadFactory threadFactory(String name) {
        return work -> {
            Thread thread = new Thread(
                    () -> {
                        pinOrNote();
                        work.run();
                    },
                    name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private void pinOrNote() {
        try {
            pin();
        } catch (PinningException e) {
            failure = e;
        }
    }

    /**
     * Binds the current thread until the result is closed. Threads that it starts meanwhile are bound too.
     */
    public Pinned pin() throws PinningException {
        CpuSet wanted = cpus;
        if (wanted == null) {
            return () -> {};
        }
        try {
            CpuSet before = CpuSet.of(Affinity.getAffinity());
            Affinity.setAffinity(wanted.toBitSet());
            // The kernel leaves out the CPUs that are not allowed, and says nothing unless none is left.
            CpuSet after = CpuSet.of(Affinity.getAffinity());
            if (!after.equals(wanted)) {
                throw new PinningException(
                        wanted, after.toBitSet().isEmpty() ? "" : ": the system allows CPU " + after + " only");
            }
            return () -> Affinity.setAffinity(before.toBitSet());
        } catch (IllegalStateException | LinkageError e) {
            throw new PinningException(wanted, " (" + Text.describe(e) + ")");
        }
    }

    /** Ends the binding, on the thread that is bound. */
    @FunctionalInterface
    public interface Pinned extends AutoCloseable {

        @Override
        void close();
    }

    /** A thread could not be bound to CPUs. */
    public static final class PinningException extends Exception {

        private static final long serialVersionUID = 1L;

        PinningException(CpuSet cpus, String why) {
            super("--affinity: a thread cannot be bound to CPU " + cpus + why
                    + "; choose CPUs that this process may use (Cpus_allowed_list in /proc/self/status),"
                    + " or leave --affinity out");
        }
    }
}
