package io.persist.shard.s3;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Blob;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. What fails for a moment is repeated by the SDK, tried {@value S3Clients#ATTEMPTS} times in all,
 * with growing pauses of some seconds together.
 *
 * <p>An object is durable as the store promises it, and is seen when it is whole. An upload in parts whose process ends
 * leaves parts that nobody sees: a rule of the bucket's life cycle removes them.
 */
public final class S3Blob implements Blob {

    /** Up to this length, in bytes, an object is sent at once; above it in parts of this length. */
    public static final int PART_BYTES = 8 << 20;

    private static final String CONTENT_TYPE = "application/octet-stream";
    private static final String NOTHING_THERE = "*";
    private static final int MOST_AT_ONCE = 1_000;
    private static final int NOT_FOUND = 404;
    private static final int THERE_ALREADY = 412;
    private static final int NOT_IMPLEMENTED = 501;

    private final S3Uri uri;
    private final S3Client client;
    private final S3Failures failures;

    /** Some stores know no conditions. */
    private final AtomicBoolean knowsConditions = new AtomicBoolean(true);

    private S3Blob(S3Uri uri, S3Client client, S3Failures failures) {
        this.uri = uri;
        this.client = client;
        this.failures = failures;
    }

    /**
     * The blob of {@code uri}.
     *
     * @throws DeterminateException if the store cannot be reached or refuses, or there is no such bucket
     */
    static S3Blob open(S3Uri uri) {
        S3Failures failures = new S3Failures(uri);
        try {
            S3Client client = S3Clients.of(uri);
            try {
                client.listObjectsV2(request -> request.bucket(uri.bucket())
                        .prefix(uri.prefix())
                        .maxKeys(1)); // unlike HeadBucket it says what is wrong
            } catch (SdkException refused) {
                client.close();
                throw refused;
            }
            return new S3Blob(uri, client, failures);
        } catch (SdkException refused) {
            throw failures.read("open", refused);
        }
    }

    private String key(String name) {
        return uri.prefix() + S3Keys.of(name);
    }

    @Override
    public byte @Nullable [] get(String name) {
        String key = key(name);
        try {
            return client.getObject(request -> request.bucket(uri.bucket()).key(key), S3Blob::whole);
        } catch (NoSuchKeyException none) {
            return null;
        } catch (SdkException failed) {
            throw failures.read("get of object=" + name, failed);
        }
    }

    /** JDK 17 takes a connection that is cut for the end of the object; what is said here is asked for again. */
    private static byte[] whole(GetObjectResponse response, AbortableInputStream body) throws Exception {
        byte[] bytes = ResponseTransformer.<GetObjectResponse>toBytes()
                .transform(response, body)
                .asByteArrayUnsafe();
        Long length = response.contentLength();
        if (length != null && length != bytes.length) {
            throw RetryableException.create("the answer was cut: " + bytes.length + " of " + length + " bytes came");
        }
        return bytes;
    }

    @Override
    public void set(String name, ByteBuffer bytes) {
        String key = key(name);
        try {
            put(key, bytes, null);
        } catch (SdkException failed) {
            throw failures.write("set of object=" + name, failed);
        }
    }

    @Override
    public void create(String name, ByteBuffer bytes) {
        String key = key(name);
        if (!knowsConditions.get()) {
            set(name, bytes);
            return;
        }
        try {
            put(key, bytes, NOTHING_THERE);
        } catch (AwsServiceException refused) {
            if (refused.statusCode() == THERE_ALREADY) {
                checkSame(name, bytes, refused);
            } else if (refused.statusCode() == NOT_IMPLEMENTED) {
                knowsConditions.set(false);
                set(name, bytes);
            } else {
                throw failures.write("creation of object=" + name, refused);
            }
        } catch (SdkException failed) {
            throw failures.write("creation of object=" + name, failed);
        }
    }

    /** An earlier attempt may have made it, whose answer was lost. */
    private void checkSame(String name, ByteBuffer bytes, AwsServiceException refused) {
        byte[] there = get(name);
        if (there == null) {
            throw new DeterminateException(
                    uri.shown() + ": creation of object=" + name + ": it was there and is gone", refused);
        }
        if (!ByteBuffer.wrap(there).equals(bytes)) {
            throw new DamagedShardException(
                    uri.shown() + ": object=" + name + " is there already, with other bytes: two processes make the"
                            + " same names; are they copies of one virtual machine?",
                    refused);
        }
    }

    private void put(String key, ByteBuffer bytes, @Nullable String ifNoneMatch) {
        if (bytes.remaining() > PART_BYTES) {
            putParts(key, bytes, ifNoneMatch);
            return;
        }
        client.putObject(
                request -> request.bucket(uri.bucket()).key(key).ifNoneMatch(ifNoneMatch),
                body(bytes, 0, bytes.remaining()));
    }

    /** Without a copy; an attempt that is repeated begins anew. */
    private static RequestBody body(ByteBuffer bytes, int from, int length) {
        ByteBuffer inArray = Blob.inArray(bytes);
        int at = inArray.arrayOffset() + inArray.position() + from;
        return RequestBody.fromContentProvider(
                () -> new ByteArrayInputStream(inArray.array(), at, length), length, CONTENT_TYPE);
    }

    private void putParts(String key, ByteBuffer bytes, @Nullable String ifNoneMatch) {
        String upload = client.createMultipartUpload(
                        request -> request.bucket(uri.bucket()).key(key))
                .uploadId();
        try {
            List<CompletedPart> parts = new ArrayList<>();
            int length;
            for (int from = 0; from < bytes.remaining(); from += length) { // to the end: beyond that may be no int
                int number = parts.size() + 1;
                length = Math.min(PART_BYTES, bytes.remaining() - from);
                String tag = client.uploadPart(
                                request -> request.bucket(uri.bucket())
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number),
                                body(bytes, from, length))
                        .eTag();
                parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            }
            client.completeMultipartUpload(request -> request.bucket(uri.bucket())
                    .key(key)
                    .uploadId(upload)
                    .ifNoneMatch(ifNoneMatch)
                    .multipartUpload(all -> all.parts(parts)));
        } catch (SdkException failed) {
            abort(key, upload, failed);
            throw failed;
        }
    }

    private void abort(String key, String upload, SdkException reason) {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(uri.bucket()).key(key).uploadId(upload));
        } catch (SdkException leftToTheLifeCycle) {
            reason.addSuppressed(leftToTheLifeCycle);
        }
    }

    @Override
    public long delete(String name) {
        String key = key(name);
        try {
            Long length = client.headObject(
                            request -> request.bucket(uri.bucket()).key(key))
                    .contentLength();
            if (length == null) {
                throw new DeterminateException(
                        uri.shown() + ": delete of object=" + name + ": the store does not say how long it is", null);
            }
            deleteOne(name);
            return length;
        } catch (SdkException failed) {
            if (hasStatus(failed, NOT_FOUND)) {
                return -1;
            }
            throw failures.write("delete of object=" + name, failed);
        }
    }

    /** It need not be there: some stores say so, and S3 does not. */
    private void deleteOne(String name) {
        String key = key(name);
        try {
            client.deleteObject(request -> request.bucket(uri.bucket()).key(key));
        } catch (SdkException failed) {
            if (!hasStatus(failed, NOT_FOUND)) {
                throw failures.write("delete of object=" + name, failed);
            }
        }
    }

    /** A thousand by one request; one by one what the store refuses: some know no other way, others say why then. */
    @Override
    public long deleteAll(Collection<String> names) {
        List<String> all = List.copyOf(names);
        List<ObjectIdentifier> keys = all.stream()
                .map(name -> ObjectIdentifier.builder().key(key(name)).build())
                .toList();
        for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
            int to = Math.min(all.size(), from + MOST_AT_ONCE);
            if (!isDeleted(keys.subList(from, to))) {
                all.subList(from, to).forEach(this::deleteOne);
            }
        }
        return -1;
    }

    private boolean isDeleted(List<ObjectIdentifier> keys) {
        try {
            return client.deleteObjects(request -> request.bucket(uri.bucket())
                            .delete(all -> all.objects(keys).quiet(true)))
                    .errors()
                    .isEmpty();
        } catch (SdkException failed) {
            LocationException why = failures.write("delete of " + keys.size() + " objects", failed);
            if (why instanceof DeterminateException || hasStatus(failed, NOT_IMPLEMENTED)) {
                return false;
            }
            throw why;
        }
    }

    private static boolean hasStatus(SdkException failed, int status) {
        return failed instanceof AwsServiceException refused && refused.statusCode() == status;
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        listPages(prefix, MOST_AT_ONCE, visitor);
    }

    /** The same, {@code most} objects by one request. */
    void listPages(String prefix, int most, ObjLongConsumer<String> visitor) {
        String start = uri.prefix() + S3Keys.escaped(prefix);
        try {
            for (S3Object object : client.listObjectsV2Paginator(request ->
                            request.bucket(uri.bucket()).prefix(start).maxKeys(most))
                    .contents()) {
                String name = S3Keys.nameOf(object.key().substring(uri.prefix().length()));
                if (name != null) {
                    visitor.accept(name, object.size());
                }
            }
        } catch (SdkException failed) {
            throw failures.read("listing of prefix=" + prefix, failed);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
