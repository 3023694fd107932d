package io.persist.bench.device;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.Offsets;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** Keeps one file busy with the operations of a cell. One thread at a time uses it. */
final class Worker implements AutoCloseable {

    private final Cell cell;
    private final TestFile file;
    private final Offsets offsets;
    private final BooleanSupplier isEnding;
    private final Deque<Request> free = new ArrayDeque<>();
    private final Access access;
    private long number;
    private long pausedNs;
    private int inFlight;

    /** @throws IOException if the engine cannot be opened here; the message says why */
    Worker(Cell cell, TestFile file, int block, long seed, BooleanSupplier isEnding) throws IOException {
        this.cell = cell;
        this.file = file;
        this.isEnding = isEnding;
        offsets = new Offsets(cell.pattern(), file.length(), block, seed);
        for (int slot = 0; slot < cell.depth(); slot++) {
            free.add(new Request(slot));
        }
        boolean grows = cell.pattern() == Pattern.APPEND;
        if (grows) {
            file.empty();
        }
        Path path = grows ? file.growing() : file.path();
        access = cell.engine()
                .opener()
                .open(new AccessSpec(path, file.length(), block, cell.depth(), cell.operation(), seed));
    }

    /** What it did: how many operations, and in which time without that in which the growing file was emptied. */
    record Stretch(Histogram latencies, long elapsedNs) {

        double perSecond() {
            return elapsedNs == 0 ? 0 : latencies.getTotalCount() * 1e9 / elapsedNs;
        }
    }

    /** Works for so long, or until it is interrupted, and until what was begun has ended. */
    Stretch work(long forNs) throws IOException {
        Histogram latencies = new Histogram(3);
        pausedNs = 0;
        long startNs = System.nanoTime();
        long nowNs = startNs;
        Thread self = Thread.currentThread();
        while (nowNs - startNs - pausedNs < forNs && !isEnding.getAsBoolean() && !self.isInterrupted()) {
            if (!begin()) {
                drain(latencies);
                emptyFile();
            }
            nowNs = System.nanoTime();
            while (free.isEmpty()) {
                nowNs = end(latencies);
            }
        }
        drain(latencies);
        return new Stretch(latencies, System.nanoTime() - startNs - pausedNs);
    }

    /** Returns false if the file has its length. */
    private boolean begin() throws IOException {
        long offset = offsets.next();
        if (offset == Offsets.FULL) {
            return false;
        }
        Request request = free.remove();
        number++;
        boolean isSynced =
                cell.operation() == Operation.WRITE && cell.syncEvery() > 0 && number % cell.syncEvery() == 0;
        request.set(offset, number, isSynced);
        request.startAt(System.nanoTime());
        access.begin(request);
        inFlight++;
        return true;
    }

    private long end(Histogram latencies) throws IOException {
        Request request = access.await();
        long nowNs = System.nanoTime();
        latencies.recordValue(nowNs - request.startNs());
        inFlight--;
        free.add(request);
        return nowNs;
    }

    private void drain(Histogram latencies) throws IOException {
        while (inFlight > 0) {
            end(latencies);
        }
    }

    private void emptyFile() throws IOException {
        long startNs = System.nanoTime();
        file.empty();
        offsets.restart();
        pausedNs += System.nanoTime() - startNs;
    }

    @Override
    public void close() throws IOException {
        access.close();
    }
}
