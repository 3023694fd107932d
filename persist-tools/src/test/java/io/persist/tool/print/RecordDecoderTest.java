package io.persist.tool.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.archive.Archive;
import io.persist.command.Run;
import io.persist.log.LogContent;
import io.persist.log.RetentionRule;
import io.persist.log.engine.Log;
import io.persist.packet.Packet;
import io.persist.packet.PacketOperation;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.ToolLog;
import io.persist.tool.copy.ArchiveTool;
import io.persist.tool.copy.ArchiveTool.Originals;
import io.persist.tool.copy.RetainTool;
import io.persist.tool.read.DumpTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is printed of packets and of transactions. */
class RecordDecoderTest {

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run dump(RecordPrinter printer) {
        return ToolLog.run(storage, new DumpTool(RecordRange.ALL, printer));
    }

    private List<String> lines() {
        Run run = dump(RecordPrinter.text(PayloadStyle.PREVIEW));
        assertThat(run.code()).as(run.err()).isZero();
        return run.out().lines().map(String::strip).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintPackets() {
        try (PacketLogger logger = PacketLogger.open(ToolLog.CONFIG, storage)) {
            Packet packet = logger.packet();
            packet.metadata()
                    .operation(PacketOperation.UPDATE)
                    .type(-7)
                    .objectId(new UUID(1, 2))
                    .transactionId(3)
                    .stableTransactionId(4)
                    .inSequence(5)
                    .outSequence(6)
                    .checkpoint(8)
                    .markPossibleDuplicate()
                    .markCommitStart()
                    .markCommitEnd();
            packet.add(bytes("<one>"));
            packet.add(bytes(""));
            logger.append(packet);
            logger.append(logger.packet().add(bytes("alone")));
            Packet own = logger.packet();
            own.metadata().operationCode((byte) 100);
            logger.append(own);
        }
        assertThat(lines())
                .hasSize(8)
                .containsSubsequence(
                        "metadata operation=\"update\" flags=\"possibleDuplicate commitStart commitEnd\" type=-7"
                                + " objectId=\"00000000-0000-0001-0000-000000000002\" transactionId=3"
                                + " stableTransactionId=4 inSequence=5 outSequence=6 checkpoint=8",
                        "message length=5 payload=\"<one>\"",
                        "message length=0 payload=\"\"",
                        "message length=5 payload=\"alone\"",
                        "metadata operationCode=100");
        assertThat(dump(RecordPrinter.json(PayloadStyle.HEX)).out())
                .contains(",\"parts\":[{\"part\":\"message\",\"length\":5,\"payload\":\"616c6f6e65\"}]}\n");
        assertThat(dump(RecordPrinter.html(PayloadStyle.PREVIEW)).out())
                .contains("<div><b>message</b> <i>length</i> 5 <i>payload</i> <code>&lt;one&gt;</code></div>");
    }

    @Test
    void shouldPrintTransactions() {
        StoreConfig config = StoreConfig.builder(ToolLog.CONFIG)
                .oldValues(OldValues.RECORD)
                .maxSpaceRatio(0)
                .build();
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            Transaction transaction = store.begin();
            transaction.put(bytes("key"), bytes("value"));
            transaction.put(bytes("other"), bytes(""));
            transaction.commit();
            transaction = store.begin();
            transaction.remove(bytes("key"));
            transaction.commit();
        }
        List<String> lines = lines();
        assertThat(lines)
                .hasSize(5)
                .contains("put key=\"key\" length=5 value=\"value\"", "put key=\"other\" length=0 value=\"\"");
        assertThat(lines.get(4)).matches("remove key=\"key\" replaces=\\d+");
    }

    @Test
    void shouldSayThatARecordIsNoPacketAndGoOn() {
        try (Log log = Log.open(ToolLog.CONFIG, LogContent.PACKETS, storage)) {
            ToolLog.append(log, "no packet");
            ToolLog.append(log, "\u0009 a packet of some later version");
        }
        assertThat(lines()).hasSize(4);
        assertThat(lines().get(1))
                .startsWith("undecodable why=\"")
                .contains("supported version")
                .endsWith("payload=\"no packet\"");
        assertThat(lines().get(3)).startsWith("undecodable why=\"").contains("supported version=");
    }

    @Test
    void shouldSayThatARecordIsNoTransactionAndGoOn() {
        try (Log log = Log.open(ToolLog.CONFIG, LogContent.TRANSACTIONS, storage)) {
            ToolLog.append(log, "nothing");
            ToolLog.append(log, "\u0001\u0000\u0000\u0000\u0005\u0000\u0000\u0000 five entries");
        }
        assertThat(lines()).hasSize(4);
        assertThat(lines().get(1)).contains("undecodable", "not a transaction of a store");
        assertThat(lines().get(3)).contains("undecodable", "no transaction: type=1, count=5");
    }

    @Test
    void shouldKeepTheSegmentsOfAStore() {
        try (Log log = Log.open(ToolLog.CONFIG, LogContent.TRANSACTIONS, storage)) {
            ToolLog.append(log, 300);
        }
        List<String> before = storage.list();
        CrashableStorage place = new CrashableStorage();
        for (LogTool tool : List.of(
                new RetainTool(RetentionRule.keepBytes(0), Effect.APPLY),
                ArchiveTool.packing(Archive.zip(place, "a.zip"), Originals.DELETE))) {
            Run run = ToolLog.run(storage, tool);
            assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err()).contains("this log is a store").hasLineCount(1);
        }
        assertThat(storage.list()).isEqualTo(before);
        assertThat(place.list()).isEmpty();
    }
}
