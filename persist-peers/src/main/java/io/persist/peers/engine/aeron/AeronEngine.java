package io.persist.peers.engine.aeron;

import io.aeron.ChannelUri;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.Publication;
import io.aeron.archive.ArchiveVersion;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Survival;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * Aeron Archive, with its media driver, in this process: a publication over shared memory, exclusive if there is one
 * producer, which the archive records into files. Terms of 64 MiB and files of 128 MiB are the defaults; the MTU is the
 * largest there is, so that messages are not cut into fragments. Media driver and archive have one thread each ({@code
 * SHARED}), with their default idle strategies: more threads are slower on two CPUs.
 *
 * <ul>
 *   <li>{@code BUFFERED}: in a term buffer, which the archive has yet to copy into its file. What it has not when the
 *       process is killed is lost, although the term is in shared memory: only an orderly end takes nothing away.
 *   <li>{@code SYNCED}: file sync level 1: the archive calls {@code FileChannel.force(false)}, an {@code fdatasync},
 *       after each block that it has written, and only then moves the position of the recording, for which a commit
 *       waits.
 * </ul>
 *
 * <p>Messages are read from a replay of the recording which goes on as it grows: from the first one on, and only what
 * is recorded. The archive's thread sends them, and sleeps up to a millisecond between two looks. {@link #LIVE} reads
 * the publication, as who needs no history does. In another process the engine is a client of the process that records,
 * and reads the same way. After {@code kill -9} the archive does not open until its mark file is 10 seconds old.
 */
public final class AeronEngine implements Engine {

    public static final EngineKind KIND = EngineKind.of(
            "aeron",
            "Aeron Archive " + ArchiveVersion.VERSION,
            Survival.ORDERLY_END,
            EngineKind.Reading.ANY_PROCESS,
            config -> new AeronEngine(config, Source.RECORDING));

    /** The same, whose readers subscribe to the publication. */
    public static final EngineKind LIVE = EngineKind.of(
            "aeron-live",
            "Aeron Archive " + ArchiveVersion.VERSION + ", readers without the archive",
            Survival.ORDERLY_END,
            EngineKind.Reading.LIVE,
            config -> new AeronEngine(config, Source.PUBLICATION));

    /** What is read. */
    private enum Source {
        /** Replayed by the archive from the first message on. */
        RECORDING,
        /** From the term buffers, whether recorded or not. */
        PUBLICATION
    }

    private static final int STREAM_ID = 1001;
    private static final int FIRST_REPLAY_STREAM_ID = 2001;
    private static final int TERM_LENGTH = 64 << 20;
    private static final int MTU = 65504;
    private static final String CONTROL_CHANNEL = "aeron:ipc";

    private final EngineConfig config;
    private final Source source;
    /** Null if the archive is in another process. */
    private final @Nullable AeronNode node;

    private final AeronArchive archive;
    /** Null if nothing is appended here. */
    private final @Nullable AeronRecording recording;

    private final AtomicInteger nextReplayStreamId = new AtomicInteger(FIRST_REPLAY_STREAM_ID);

    private AeronEngine(EngineConfig config, Source source) throws IOException {
        this.config = config;
        this.source = source;
        Optional<AeronDirectory> live = AeronDirectory.live(config.directory());
        node = live.isPresent() ? null : new AeronNode(config);
        AeronArchive archive = null;
        try {
            AeronDirectory directory = node == null ? live.orElseThrow() : node.directory();
            archive = AeronArchive.connect(new AeronArchive.Context()
                    .aeronDirectoryName(directory.path().toString())
                    .controlRequestChannel(CONTROL_CHANNEL)
                    .controlRequestStreamId(AeronNode.CONTROL_STREAM_ID)
                    .controlResponseChannel(CONTROL_CHANNEL)
                    .messageTimeoutNs(AeronNode.LONGEST_STALL_NS));
            recording = node == null || config.producers() == 0 ? null : record(archive);
        } catch (Throwable e) {
            CloseHelper.quietCloseAll(archive, node);
            throw e;
        }
        this.archive = archive;
    }

    /** Begins a recording, or goes on with the one that there is. */
    private AeronRecording record(AeronArchive archive) throws IOException {
        AeronExtent last = AeronExtent.last(archive);
        ChannelUriStringBuilder channel = new ChannelUriStringBuilder().media(CommonContext.IPC_MEDIA);
        if (last == null) {
            channel.termLength(TERM_LENGTH).mtu(MTU);
        } else {
            channel.initialPosition(last.stopPosition(), last.initialTermId(), last.termLength())
                    .mtu(last.mtu());
        }
        String uri = channel.build();
        Publication publication = config.producers() == 1
                ? archive.context().aeron().addExclusivePublication(uri, STREAM_ID)
                : archive.context().aeron().addPublication(uri, STREAM_ID);
        String session = ChannelUri.addSessionId(uri, publication.sessionId());
        long subscriptionId = last == null
                ? archive.startRecording(session, STREAM_ID, SourceLocation.LOCAL)
                : archive.extendRecording(last.recordingId(), session, STREAM_ID, SourceLocation.LOCAL);
        return new AeronRecording(archive, publication, subscriptionId, config.durability());
    }

    @Override
    public Producer producer() {
        if (recording == null) {
            throw new IllegalStateException("opened to read only, or another process appends: " + config.directory());
        }
        return new AeronProducer(recording, config.messageLength());
    }

    @Override
    public MessageReader reader() {
        if (source == Source.PUBLICATION) {
            return new AeronReader(
                    archive.context().aeron().addSubscription(CommonContext.IPC_CHANNEL, STREAM_ID), isFragmented(MTU));
        }
        AeronExtent extent = AeronExtent.last(archive);
        return extent == null || !extent.isReplayable()
                ? new AeronReader(null, false)
                : new AeronReader(
                        archive.replay(
                                extent.recordingId(),
                                AeronArchive.NULL_POSITION,
                                AeronArchive.REPLAY_ALL_AND_FOLLOW,
                                CommonContext.IPC_CHANNEL,
                                nextReplayStreamId.getAndIncrement()),
                        isFragmented(extent.mtu()));
    }

    private boolean isFragmented(int mtu) {
        return config.messageLength() > mtu - AeronReader.HEADER_LENGTH;
    }

    @Override
    public void drain() throws IOException {
        if (recording != null) {
            recording.await(recording.publication().position());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            drain();
        } finally {
            CloseHelper.closeAll(recording, archive, node);
        }
    }
}
