package io.persist.log.space;

import io.persist.event.OpeningProgress;
import io.persist.format.control.CounterBlock;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentLayout;
import io.persist.log.segment.ZeroWriter;
import io.persist.log.sync.BackgroundSyncer;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.SegmentFinisher;
import io.persist.log.sync.Syncer;
import java.io.IOException;

/**
 * The space ahead of the appender of one log: the threads that make it, and what others see of it.
 *
 * <p><b>Threads:</b> the one that opens the log; {@link #recycle} and {@link #isRunBy} any; {@link #close} the one that
 * closes it.
 */
public final class SpaceAhead implements AutoCloseable {

    private final LogConfig config;
    private final SegmentSupply supply;
    private final FilledSpace space;
    private final long initialEnd;
    private final SegmentFiller filler;
    private final SegmentLayout layout;
    private final Headroom headroom;
    private final RecordSpace recordSpace;

    /**
     * Space in {@code tail} and behind it; nothing of it is filled yet.
     *
     * @param supply has the segments behind the tail; it is started and closed here
     * @param initialEnd up to here is filled from the start
     */
    public SpaceAhead(
            LogConfig config,
            SegmentSupply supply,
            Segment tail,
            LogPositions positions,
            CounterBlock counters,
            Syncer syncer,
            BackgroundSyncer background,
            long initialEnd) {
        this.config = config;
        this.supply = supply;
        this.initialEnd = initialEnd;
        layout = new SegmentLayout(tail, config.segmentLength());
        space = new FilledSpace(supply, positions, counters, tail);
        DeviceLag lag = new DeviceLag(positions, config);
        SegmentFinisher finisher = new SegmentFinisher(positions, syncer, background, lag.most());
        long durableAhead = (long) SegmentFiller.FEWEST_AHEAD * config.segmentLength();
        FillPolicy policy = FillPolicy.of(config, positions.published(), durableAhead);
        filler = new SegmentFiller(space, supply, finisher, positions, counters, config, initialEnd, lag, policy);
        SpaceWait wait = new SpaceWait(positions, space, filler, supply, counters, syncer);
        Pacing pacing = new Pacing(positions, counters);
        headroom = new Headroom(positions, space, filler, layout, wait, pacing, lag, policy);
        recordSpace = new SpaceBeforeAppend(positions, space, filler, layout, wait, pacing);
    }

    /** Where records will end in it. */
    public SegmentLayout layout() {
        return layout;
    }

    /** The space as the thread that appends sees it. */
    public Headroom headroom() {
        return headroom;
    }

    /** The space for a record that is to come. */
    public RecordSpace recordSpace() {
        return recordSpace;
    }

    /** Fills what has to be filled before the log is open; {@code progress} is told. Only before {@link #start}. */
    public void fillFirst(OpeningProgress progress) throws IOException {
        if (config.prefill() == Prefill.BEFORE_OPEN) {
            space.fillSynced(initialEnd, ZeroWriter.shortPieceLength(config), progress);
        }
        filler.fillFirst();
    }

    /** Starts the threads that make segments and fill them; to be called once. */
    public void start() {
        supply.start();
        filler.start();
    }

    /** Whether {@code thread} is one of these. */
    public boolean isRunBy(Thread thread) {
        return supply.isRunBy(thread) || filler.isRunBy(thread);
    }

    /** Hands over a retired segment's file to be used again. */
    public void recycle(String spare) {
        supply.recycle(spare);
    }

    /** Ends the threads and closes what is ready; after that nothing touches a mapping any more. */
    @Override
    public void close() {
        try {
            filler.close();
        } finally {
            supply.close();
        }
    }
}
