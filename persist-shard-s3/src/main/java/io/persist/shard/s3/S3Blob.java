package io.persist.shard.s3;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Blob;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket. What fails for a moment is repeated by the SDK, tried {@value #ATTEMPTS} times in all, with
 * growing pauses of some seconds together.
 *
 * <p>An object is durable as the store promises it, and is seen when it is whole. An upload in parts whose process ends
 * leaves parts that nobody sees: a rule of the bucket's life cycle removes them.
 */
public final class S3Blob implements Blob {

    /** Up to this length, in bytes, an object is sent at once; above it in parts of this length. */
    public static final int PART_BYTES = 8 << 20;

    /**
     * One more than the connections that the JVM keeps to a server ({@code http.maxConnections}): it tries each of them
     * for a PUT, and fails if the server has closed it meanwhile.
     */
    static final int ATTEMPTS = 6;

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final Duration ATTEMPT = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(180);
    private static final String CONTENT_TYPE = "application/octet-stream";
    private static final String NOTHING_THERE = "*";
    private static final int MOST_IN_A_PAGE = 1_000;
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
            S3Client client = client(uri);
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

    private static S3Client client(S3Uri uri) {
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(DefaultCredentialsProvider.builder().build())
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(SILENCE))
                .overrideConfiguration(settings -> settings.apiCallTimeout(CALL)
                        .apiCallAttemptTimeout(ATTEMPT)
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .build()))
                .serviceConfiguration(
                        S3Configuration.builder().expectContinueEnabled(false).build()) // a round trip for each object
                // Others than AWS seldom know the newer ways to send checksums. AWS gets the same, which is tested.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        if (uri.region() != null) {
            builder.region(Region.of(uri.region()));
        }
        if (uri.endpoint() != null) {
            builder.endpointOverride(uri.endpoint()).forcePathStyle(true);
        }
        return builder.build();
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
            client.deleteObject(request -> request.bucket(uri.bucket()).key(key));
            return length;
        } catch (AwsServiceException refused) {
            if (refused.statusCode() == NOT_FOUND) {
                return -1;
            }
            throw failures.write("delete of object=" + name, refused);
        } catch (SdkException failed) {
            throw failures.write("delete of object=" + name, failed);
        }
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        listPages(prefix, MOST_IN_A_PAGE, visitor);
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
